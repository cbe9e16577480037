-- When each account was last logged into.
CREATE TABLE last_logins (
    name TEXT PRIMARY KEY REFERENCES accounts (name) ON DELETE CASCADE,
    at INTEGER NOT NULL
) STRICT;
INSERT INTO last_logins SELECT person, max(at) FROM log JOIN accounts ON person = name WHERE kind = 'login' GROUP BY person;
