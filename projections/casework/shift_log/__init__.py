"""The surveillance log: what happened in the room, by time, and how one shift hands it to the next."""
