-- By whom at the property's login each account was logged into: the provider's address, and its own name of the person.
CREATE TABLE known_as (
    name TEXT NOT NULL REFERENCES accounts (name),
    sub TEXT NOT NULL,
    PRIMARY KEY (name, sub)
) STRICT, WITHOUT ROWID;
