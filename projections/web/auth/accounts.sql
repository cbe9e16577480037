-- Accounts, sessions and the log of looking, in a file beside the store: never in a copy of the store.
-- Times are seconds since 1970 UTC.
CREATE TABLE written_as (format INTEGER NOT NULL) STRICT;
INSERT INTO written_as VALUES (3);

-- Keys that are made with the file and never leave it.
CREATE TABLE secrets (purpose TEXT PRIMARY KEY, secret BLOB NOT NULL) STRICT;

-- An account is disabled and never removed: the log names it.
CREATE TABLE accounts (
    name TEXT PRIMARY KEY,
    shown TEXT NOT NULL,
    role TEXT NOT NULL,
    hash TEXT,                     -- argon2id; none of a machine's
    made INTEGER NOT NULL,
    disabled INTEGER NOT NULL DEFAULT 0,
    must_change INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE sessions (
    id TEXT PRIMARY KEY,           -- SHA-256 of the token that the browser has
    name TEXT NOT NULL REFERENCES accounts (name),
    csrf TEXT NOT NULL,
    began INTEGER NOT NULL,
    seen INTEGER NOT NULL
) STRICT;

-- What a program reads by, one an account.
CREATE TABLE tokens (
    name TEXT PRIMARY KEY REFERENCES accounts (name),
    id TEXT NOT NULL UNIQUE,       -- SHA-256 of the token that the program has
    until INTEGER NOT NULL
) STRICT;

-- Attempts to log in that failed or are under way, by account, by address and by both.
CREATE TABLE attempts (
    subject TEXT PRIMARY KEY,
    failures INTEGER NOT NULL,
    until INTEGER NOT NULL,        -- no other attempt before
    last INTEGER NOT NULL
) STRICT;
-- From where an account has been logged into.
CREATE TABLE known (
    name TEXT NOT NULL,
    address TEXT NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (name, address)
) STRICT;

CREATE TABLE views (
    name TEXT NOT NULL REFERENCES accounts (name),
    view TEXT NOT NULL,
    query TEXT NOT NULL,
    PRIMARY KEY (name, view)
) STRICT;

CREATE TABLE unmasked (
    session TEXT NOT NULL,
    subject TEXT NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (session, subject)
) STRICT;

CREATE TABLE embargoes (
    id INTEGER PRIMARY KEY,
    subject TEXT NOT NULL,
    whom TEXT NOT NULL REFERENCES accounts (name),
    reason TEXT NOT NULL,
    placed INTEGER NOT NULL,
    placed_by TEXT NOT NULL,
    lifted INTEGER,
    lifted_by TEXT
) STRICT;
CREATE UNIQUE INDEX one_embargo ON embargoes (subject, whom) WHERE lifted IS NULL;

-- Who did and looked at what; each row has the hash of the one before it.
CREATE TABLE log (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    person TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT,                  -- of which record
    whom TEXT,                     -- whose account
    detail TEXT,
    within TEXT,                   -- what the record belongs to, a JSON list
    hash TEXT NOT NULL,
    change TEXT,                   -- what was changed about the account: added, role, disabled, enabled
    role TEXT                      -- the role that it was given
) STRICT;
CREATE INDEX log_at ON log (at);
CREATE TRIGGER log_stays BEFORE UPDATE ON log BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END;
CREATE TRIGGER log_stays_whole BEFORE DELETE ON log BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END;
