"""The timeline: everything that happened, in the order of its time, filtered as an investigator asks."""
