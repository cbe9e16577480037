"""What the exact enumeration of the games has proven, and what stakes earn the house on average."""
