-- The store: every conclusion with its revisions. Nothing here is ever updated or deleted: a newer revision
-- stands beside the older one, and the views say which of them holds. The exceptions are `offsets`, which
-- says how far a live store has read, and `standing`, which says how its tables stand.
-- Money is whole cents. Times are UTC. Order in an ENUM is the order in which a page shows it.

CREATE TYPE verdict AS ENUM ('mismatch', 'undetermined', 'clean');
CREATE TYPE weight AS ENUM ('mismatch', 'undetermined', 'note');
CREATE TYPE severity AS ENUM ('grave', 'money', 'procedure', 'data', 'note');
CREATE TYPE side AS ENUM ('house', 'patron');
CREATE TYPE queue AS ENUM ('act_now', 'this_shift', 'nightly');

CREATE TABLE written_as (format INTEGER NOT NULL);
INSERT INTO written_as VALUES (12);

-- One pass of one version of the software over one source.
CREATE TABLE runs (
    run VARCHAR PRIMARY KEY,
    made TIMESTAMP NOT NULL,
    version VARCHAR NOT NULL,
    source VARCHAR NOT NULL,
    zone VARCHAR NOT NULL              -- the property's, in which times are shown
);

-- What was concluded of a round, of a shoe where `round` is null, or of an account of a gaming day where both are;
-- with what was seen of it, where it is known.
CREATE TABLE rounds (
    run VARCHAR NOT NULL,
    id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    table_id VARCHAR NOT NULL,
    gaming_date DATE NOT NULL,
    round VARCHAR,
    shoe VARCHAR,
    account VARCHAR,
    opened TIMESTAMP,                  -- by the table's clock; of a shoe or an account when this was concluded of it
    chapter VARCHAR NOT NULL,
    verdict verdict NOT NULL,
    outcome VARCHAR,
    announced VARCHAR,
    dealer VARCHAR,
    seated STRUCT(seat INTEGER, patron VARCHAR)[],  -- as far as the terminal named them
    rulebook VARCHAR,
    play STRUCT(who VARCHAR, what VARCHAR)[],
    hands VARCHAR,                     -- how they lay by that rulebook, as JSON; what is disregarded is marked
    lines STRUCT("name" VARCHAR, "of" VARCHAR, box VARCHAR, cents BIGINT, count BIGINT, "at" BIGINT, denominations MAP(BIGINT, BIGINT))[],
    digest VARCHAR NOT NULL,           -- of the conclusion and, of a round, when it opened
    PRIMARY KEY (run, id, revision)
);

-- Chips that lay on a spot, and the coupon under them. `id` is the round's.
CREATE TABLE wagers (
    run VARCHAR NOT NULL,
    id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    bettor VARCHAR,
    wager VARCHAR NOT NULL,
    hand VARCHAR,
    cents BIGINT NOT NULL,
    coupon_cents BIGINT NOT NULL,
    coupon VARCHAR
);

-- What each wager was owed and what it brought: the player's gain before vigorish, and the vigorish.
-- `judged` tells whether the judgement has an entry for it; its cents are null where they are left open.
-- What was paid is null where settlement was not observed.
CREATE TABLE settlements (
    run VARCHAR NOT NULL,
    id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    bettor VARCHAR,
    wager VARCHAR NOT NULL,
    hand VARCHAR,
    judged BOOLEAN NOT NULL,
    expected_cents BIGINT,
    expected_vigorish_cents BIGINT,
    paid_cents BIGINT,
    paid_vigorish_cents BIGINT,
    righted_cents BIGINT,
    righted_vigorish_cents BIGINT,
    later_cents BIGINT,
    later_vigorish_cents BIGINT
);

-- A finding or, where its weight is `note`, a note, as one revision of its round has it.
CREATE TABLE findings (
    run VARCHAR NOT NULL,
    id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    round_id VARCHAR NOT NULL,
    serial VARCHAR,
    patron VARCHAR,
    concerns_table VARCHAR,
    concerns_day DATE,
    ordinal INTEGER NOT NULL,
    check_name VARCHAR NOT NULL,
    weight weight NOT NULL,
    severity severity NOT NULL,
    message VARCHAR NOT NULL,
    citations VARCHAR[] NOT NULL,
    status VARCHAR NOT NULL,
    who VARCHAR,
    seat INTEGER,
    wager VARCHAR,
    hand VARCHAR,
    bettor VARCHAR,
    device VARCHAR,
    expected_cents BIGINT,
    observed_cents BIGINT,
    gross_cents BIGINT,                -- observed less owed: of the gain before vigorish
    vigorish_cents BIGINT,             -- and of the vigorish
    net_cents BIGINT,                  -- the one less the other: what the patron has too much, or below 0 too little
    variance_cents BIGINT,             -- of a count, which has no such sums: observed less expected
    favours side,
    put_right BOOLEAN,
    steps STRUCT(says VARCHAR, cite VARCHAR, cents BIGINT)[],
    PRIMARY KEY (run, id, revision)
);

-- What could not be read, or not be stored, on a live floor: where it stood, why, and the text itself. `id`
-- names it by where it stood in the logs of one Kafka cluster; `noted` is when it came here.
CREATE TABLE quarantine (
    cluster VARCHAR NOT NULL,
    id VARCHAR NOT NULL,
    noted TIMESTAMP NOT NULL,
    place VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    payload VARCHAR NOT NULL,
    table_id VARCHAR,
    code VARCHAR,                      -- why what somebody may not send was refused (schemas/senders.py)
    source VARCHAR,                    -- from where that came: a host, a file, a topic
    PRIMARY KEY (cluster, id)
);

-- How far Kafka has been read: the offset of the first record of a partition that is not yet here. It is
-- written in the transaction that writes the records before it. The cluster `console` is none: under it stands how
-- far the `actions` below are in Kafka, as the number of the first that is not known to be, and their epoch: of those
-- sent from here (topics `surveillance` and `surveillance, epoch`) and of those taken back (`surveillance taken back`).
CREATE TABLE offsets (
    cluster VARCHAR NOT NULL,
    topic VARCHAR NOT NULL,
    partition INTEGER NOT NULL,
    next BIGINT NOT NULL,
    PRIMARY KEY (cluster, topic, partition)
);

-- How a table of a live floor stands now (projections/standing), as JSON: folded from its frames up to `offsets`.
CREATE TABLE standing (
    cluster VARCHAR NOT NULL,
    table_id VARCHAR NOT NULL,
    told VARCHAR NOT NULL,
    PRIMARY KEY (cluster, table_id)
);

-- How an alert (a finding's id) came to the surveillance room: when, into which queue, whether it rang, and until when
-- somebody had to have taken it and closed it. A row stays as it is. Where the alert is found more urgent later, or is
-- heard when what silenced it has ended, it comes again: a further row, the highest `coming` of which holds.
CREATE TABLE alerts (
    id VARCHAR NOT NULL,
    coming INTEGER NOT NULL,
    about VARCHAR NOT NULL,            -- the round's, the shoe's or the account's id
    gaming_date DATE NOT NULL,
    table_id VARCHAR NOT NULL,
    check_name VARCHAR NOT NULL,
    severity severity NOT NULL,
    queue queue NOT NULL,
    came TIMESTAMP NOT NULL,
    taken_due TIMESTAMP NOT NULL,
    closed_due TIMESTAMP NOT NULL,
    rang BOOLEAN NOT NULL,
    PRIMARY KEY (id, coming)
);

-- What people did at the console, append-only: numbered without a gap, each with the digest of the one before.
-- `details` is what was asked for and what had to be known to do it, `before` and `after` what of the subject it
-- changed, as it stood and as it stands; as JSON.
CREATE TABLE actions (
    number BIGINT PRIMARY KEY,
    id VARCHAR NOT NULL UNIQUE,
    "at" TIMESTAMP NOT NULL,
    who VARCHAR NOT NULL,
    role VARCHAR NOT NULL,
    action VARCHAR NOT NULL,
    subject VARCHAR NOT NULL,
    details VARCHAR NOT NULL,
    before VARCHAR,
    after VARCHAR,
    previous VARCHAR,
    digest VARCHAR NOT NULL            -- SHA-256 of the other columns
);

-- The nightly reports. Made anew with other content a report has another edition; the same again is nothing new.
CREATE TABLE reports (
    gaming_day DATE NOT NULL,
    report VARCHAR NOT NULL,
    edition INTEGER NOT NULL,
    digest VARCHAR NOT NULL,           -- SHA-256 of the body
    made_by VARCHAR NOT NULL,          -- the software and its version
    restricted VARCHAR,                -- the role that alone may read it
    noted TIMESTAMP NOT NULL,          -- when it came here
    body VARCHAR NOT NULL,             -- the report as JSON
    PRIMARY KEY (gaming_day, report, edition)
);

-- The newest run of an audit, by which pages go; what was refused of senders is a run of its own and no audit.
CREATE VIEW newest_run AS
SELECT run FROM runs WHERE source <> 'floor.quarantine' ORDER BY made DESC, run DESC LIMIT 1;

CREATE VIEW reports_now AS
SELECT reports.*
FROM reports
ANTI JOIN reports AS later
    ON later.gaming_day = reports.gaming_day AND later.report = reports.report AND later.edition > reports.edition;

-- Each revision of a round and the one that superseded it, if any.
CREATE VIEW revisions AS
SELECT run, id, revision, lead(revision) OVER (PARTITION BY run, id ORDER BY revision) AS superseded_in
FROM rounds;

CREATE VIEW rounds_now AS
SELECT rounds.*
FROM rounds
ANTI JOIN rounds AS later
    ON later.run = rounds.run AND later.id = rounds.id AND later.revision > rounds.revision;

-- Every finding of every revision. Where the next revision of its round does not have it any more,
-- `withdrawn_in` is that revision.
CREATE VIEW findings_history AS
SELECT
    findings.*,
    revisions.superseded_in,
    CASE WHEN later.id IS NULL THEN revisions.superseded_in END AS withdrawn_in
FROM findings
JOIN revisions
    ON revisions.run = findings.run AND revisions.id = findings.round_id
    AND revisions.revision = findings.revision
LEFT JOIN findings AS later
    ON later.run = findings.run AND later.id = findings.id AND later.round_id = findings.round_id
    AND later.revision = revisions.superseded_in;

-- The findings and notes that hold, each with the round, shoe or account it is about.
CREATE VIEW findings_now AS
SELECT
    findings.*,
    rounds_now.table_id,
    rounds_now.gaming_date,
    rounds_now.round,
    rounds_now.shoe,
    rounds_now.account,
    rounds_now.opened,
    rounds_now.verdict
FROM findings
JOIN rounds_now
    ON rounds_now.run = findings.run AND rounds_now.id = findings.round_id
    AND rounds_now.revision = findings.revision;

CREATE VIEW open_findings AS
SELECT * FROM findings_now WHERE weight <> 'note';

-- A table's gaming day, or a ledger's, which has accounts alone. Money that was put right favours no one any more.
CREATE VIEW table_day AS
SELECT
    concluded.*,
    coalesce(found.findings, 0) AS findings,
    coalesce(found.house_cents, 0)::BIGINT AS house_cents,
    coalesce(found.patron_cents, 0)::BIGINT AS patron_cents
FROM (
    SELECT
        run,
        gaming_date,
        table_id,
        count(round) AS rounds,
        count(round) FILTER (verdict = 'clean') AS clean,
        count(round) FILTER (verdict = 'undetermined') AS undetermined,
        count(round) FILTER (verdict = 'mismatch') AS mismatch,
        count(shoe) FILTER (round IS NULL AND verdict <> 'clean') AS shoes_not_clean,
        count(account) FILTER (verdict <> 'clean') AS accounts_not_clean
    FROM rounds_now
    GROUP BY ALL
) AS concluded
LEFT JOIN (
    SELECT
        run,
        gaming_date,
        table_id,
        count(*) AS findings,
        sum(abs(coalesce(net_cents, variance_cents)))
            FILTER (favours = 'house' AND put_right IS NULL) AS house_cents,
        sum(abs(coalesce(net_cents, variance_cents)))
            FILTER (favours = 'patron' AND put_right IS NULL) AS patron_cents
    FROM open_findings
    GROUP BY ALL
) AS found USING (run, gaming_date, table_id);
