"""Records of the store as the console shows them, masked for the viewer."""
