-- Tokens that people make on their own page, each with what it may read; `tokens` has those made on the server.
CREATE TABLE scoped_tokens (
    id TEXT PRIMARY KEY,           -- SHA-256 of the token that the program has
    name TEXT NOT NULL REFERENCES accounts (name),
    label TEXT NOT NULL,
    scope TEXT NOT NULL,           -- rights, a JSON list
    made INTEGER NOT NULL,
    until INTEGER NOT NULL,
    used INTEGER,
    UNIQUE (name, label)
) STRICT;
