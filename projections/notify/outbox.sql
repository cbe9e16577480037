-- What is to be sent, what was, and what came back; in a file beside the store. Times are microseconds UTC.
CREATE TABLE written_as (format INTEGER NOT NULL, made INTEGER NOT NULL) STRICT;

-- A message to one receiver: of an alert, a step and a target, once. `state` is waiting, delivered, failed,
-- stopped (somebody took it first) or withheld.
CREATE TABLE deliveries (
    id TEXT PRIMARY KEY,
    target TEXT NOT NULL,
    recipient TEXT,                -- of a push target, the id of the subscription
    step TEXT NOT NULL,
    about TEXT NOT NULL,           -- the round, shoe or account
    since INTEGER NOT NULL,        -- when it last changed hands
    notice TEXT NOT NULL,
    queued INTEGER NOT NULL,
    due INTEGER NOT NULL,          -- the next attempt is not before
    until INTEGER NOT NULL,        -- and none is after
    attempts INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'waiting'
) STRICT;
CREATE INDEX waiting_deliveries ON deliveries (due) WHERE state = 'waiting';
CREATE INDEX deliveries_by_time ON deliveries (queued);
CREATE INDEX deliveries_by_target ON deliveries (target);

-- Each attempt, and what ended a message without one.
CREATE TABLE attempts (
    number INTEGER PRIMARY KEY,
    delivery TEXT NOT NULL REFERENCES deliveries (id),
    at INTEGER NOT NULL,
    outcome TEXT NOT NULL,         -- delivered, retry, failed, stopped, withheld
    answer TEXT NOT NULL
) STRICT;
CREATE INDEX attempts_of ON attempts (delivery);

-- Receivers that asked to be left alone for a while.
CREATE TABLE holds (target TEXT NOT NULL, recipient TEXT NOT NULL, until INTEGER NOT NULL,
    PRIMARY KEY (target, recipient)) STRICT;

-- Browsers that people subscribed.
CREATE TABLE subscriptions (
    id TEXT PRIMARY KEY,           -- SHA-256 of the endpoint
    account TEXT NOT NULL,
    called TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL,
    made INTEGER NOT NULL
) STRICT;
