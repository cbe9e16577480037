-- What an account is logged into by beside its password.
CREATE TABLE second_factors (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL REFERENCES accounts (name),
    kind TEXT NOT NULL,            -- authenticator or passkey
    label TEXT NOT NULL,
    secret BLOB NOT NULL,          -- an authenticator's secret, a passkey's public key
    credential TEXT UNIQUE,        -- a passkey's id, base64url
    counter INTEGER NOT NULL,      -- the step of an authenticator's latest code, the count of a passkey's signatures
    made INTEGER NOT NULL,
    used INTEGER
) STRICT;

-- Codes that open an account once in place of its second factor.
CREATE TABLE recovery_codes (
    id TEXT PRIMARY KEY,           -- SHA-256 of the code
    name TEXT NOT NULL REFERENCES accounts (name)
) STRICT;
