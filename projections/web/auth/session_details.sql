-- From where each session was begun, by what browser, and what it lacks before it opens anything: a second factor's code,
-- or that a second factor is set up.
CREATE TABLE session_details (
    id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    address TEXT NOT NULL,
    agent TEXT NOT NULL,
    pending TEXT
) STRICT;
