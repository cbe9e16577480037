-- The store: every conclusion with its revisions. Nothing here is ever updated or deleted: a newer revision
-- stands beside the older one, and the views say which of them holds. The exceptions are `offsets`, which
-- says how far a live store has read, and `standing`, which says how its tables stand.
-- Money is whole cents. Times are UTC. Order in an ENUM is the order in which a page shows it.

CREATE TYPE run_kind AS ENUM ('live', 'recorded', 'senders');
CREATE TYPE verdict AS ENUM ('mismatch', 'undetermined', 'clean');
CREATE TYPE weight AS ENUM ('mismatch', 'undetermined', 'note');
CREATE TYPE severity AS ENUM ('critical', 'high', 'medium', 'data', 'note');
CREATE TYPE side AS ENUM ('house', 'patron');
CREATE TYPE queue AS ENUM ('act_now', 'this_shift', 'nightly');

-- The format, in one row.
CREATE TABLE written_as (
    format INTEGER NOT NULL  -- The format of this file; a version of discardrack reads one format.
);
INSERT INTO written_as VALUES (16);

-- One pass of one version of the software over one source.
CREATE TABLE runs (
    run VARCHAR PRIMARY KEY,  -- Name of the pass.
    made TIMESTAMP NOT NULL,  -- When it began.
    version VARCHAR NOT NULL,  -- Version of discardrack, and of each plugin that judged.
    source VARCHAR NOT NULL,  -- What was read: a path, or a topic of a broker.
    zone VARCHAR NOT NULL,  -- Time zone of the property, in which pages show times.
    kind run_kind NOT NULL  -- Of a live floor's workers, of what was recorded, or of what was refused of senders.
);

-- What was concluded of a round, of a shoe where `round` is null, or of an account of a gaming day where both are;
-- with what was seen of it, where it is known.
CREATE TABLE rounds (
    run VARCHAR NOT NULL,  -- The pass that concluded it.
    id VARCHAR NOT NULL,  -- Gaming date, table, then the round, or `shoe` or `account` and its name, separated by a bar.
    revision INTEGER NOT NULL,  -- 1, 2, …; the highest one holds.
    table_id VARCHAR NOT NULL,  -- The table; of a ledger its name.
    gaming_date DATE NOT NULL,  -- The gaming date.
    round VARCHAR,  -- Its number; null for a shoe or an account.
    shoe VARCHAR,  -- The shoe.
    account VARCHAR,  -- The account of the gaming day; null otherwise.
    opened TIMESTAMP,  -- By the table's clock; of a shoe or an account, when this was concluded of it.
    chapter VARCHAR NOT NULL,  -- The chapter of the regulations by which it was judged.
    verdict verdict NOT NULL,  -- `mismatch`, `undetermined` or `clean`.
    outcome VARCHAR,  -- The result by the cards.
    announced VARCHAR,  -- The result as the dealer announced it.
    dealer VARCHAR,  -- Who dealt.
    seated STRUCT(seat INTEGER, patron VARCHAR)[],  -- Patrons by seat, as far as the terminal named them.
    rulebook VARCHAR,  -- Digest of the text and options by which it was judged.
    play STRUCT(who VARCHAR, what VARCHAR)[],  -- Cards and acts, in order: who, what.
    hands VARCHAR,  -- How the hands lay by that rulebook, as JSON; what is disregarded is marked.
    lines STRUCT("name" VARCHAR, "of" VARCHAR, box VARCHAR, cents BIGINT, count BIGINT, "at" BIGINT, denominations MAP(BIGINT, BIGINT))[],  -- The lines of an account or of a shoe's vigorish: name, what of, box, cents, count, time in microseconds UTC.
    digest VARCHAR NOT NULL,  -- SHA-256 of the conclusion and, of a round, of when it opened.
    PRIMARY KEY (run, id, revision)
);

-- Chips that lay on a spot, and the coupon under them. `id` is the round's.
CREATE TABLE wagers (
    run VARCHAR NOT NULL,  -- The pass that concluded the round.
    id VARCHAR NOT NULL,  -- The round.
    revision INTEGER NOT NULL,  -- The revision of the round.
    seat INTEGER NOT NULL,  -- The seat; 0 is the dealer.
    bettor VARCHAR,  -- Whose it was, where several bet on one spot.
    wager VARCHAR NOT NULL,  -- The wager, in the words of the round record.
    hand VARCHAR,  -- The hand of a split that it lay on.
    cents BIGINT NOT NULL,  -- The chips.
    coupon_cents BIGINT NOT NULL,  -- Value of the Match Play Coupon under them; 0 without one.
    coupon VARCHAR  -- Number of the coupon.
);

-- What each wager was owed and what it brought: the player's gain before vigorish, and the vigorish.
-- `judged` tells whether the judgement has an entry for it; its cents are null where they are left open.
-- What was paid is null where settlement was not observed.
CREATE TABLE settlements (
    run VARCHAR NOT NULL,  -- The pass that concluded the round.
    id VARCHAR NOT NULL,  -- The round.
    revision INTEGER NOT NULL,  -- The revision of the round.
    ordinal INTEGER NOT NULL,  -- The order in which they were judged.
    seat INTEGER NOT NULL,  -- The seat; 0 is the dealer.
    bettor VARCHAR,  -- Whose it was, where several bet on one spot.
    wager VARCHAR NOT NULL,  -- The wager, or what was due without one.
    hand VARCHAR,  -- The hand of a split that it lay on.
    judged BOOLEAN NOT NULL,  -- Whether the judgement has an entry for it.
    expected_cents BIGINT,  -- The player's gain by the rules, before vigorish; null where it is open.
    expected_vigorish_cents BIGINT,  -- Vigorish by the rules; null where it is open.
    paid_cents BIGINT,  -- The player's gain as it stood when the round closed; null if settlement was not observed.
    paid_vigorish_cents BIGINT,  -- Vigorish taken or marked by then.
    righted_cents BIGINT,  -- What corrections before the round closed put into `paid_cents`.
    righted_vigorish_cents BIGINT,  -- What they put into `paid_vigorish_cents`.
    later_cents BIGINT,  -- What corrections after it closed would add to `paid_cents`.
    later_vigorish_cents BIGINT  -- What they would add to `paid_vigorish_cents`.
);

-- A finding or, where its weight is `note`, a note, as one revision of its round has it.
CREATE TABLE findings (
    run VARCHAR NOT NULL,  -- The pass that found it.
    id VARCHAR NOT NULL,  -- Name of the finding: the same mistake found again has the same one.
    revision INTEGER NOT NULL,  -- The revision of its round, shoe or account.
    round_id VARCHAR NOT NULL,  -- The round, shoe or account that it is about.
    serial VARCHAR,  -- Serial number of a coupon, Counter Check or slip.
    patron VARCHAR,  -- The patron.
    concerns_table VARCHAR,  -- The table that a finding of a ledger names.
    concerns_day DATE,  -- The gaming day that it names.
    ordinal INTEGER NOT NULL,  -- The order in which they were found.
    check_name VARCHAR NOT NULL,  -- The check; of a plugin `name.check`.
    weight weight NOT NULL,  -- `mismatch`, `undetermined` or `note`.
    severity severity NOT NULL,  -- `critical`, `high`, `medium`, `data` or `note`.
    message VARCHAR NOT NULL,  -- What was found, as a code and its arguments in JSON; exports have it in words.
    citations VARCHAR[] NOT NULL,  -- The provisions, the main one first.
    status VARCHAR NOT NULL,  -- Status of the text cited first: adopted, temporary, proposed, reconstructed or house control.
    who VARCHAR,  -- The hand, side or person.
    seat INTEGER,  -- The seat; 0 is the dealer.
    wager VARCHAR,  -- The wager.
    hand VARCHAR,  -- The hand of a split that it lay on.
    bettor VARCHAR,  -- Whose it was, where several bet on one spot.
    device VARCHAR,  -- The device.
    expected_cents BIGINT,  -- What was due.
    observed_cents BIGINT,  -- What was observed.
    gross_cents BIGINT,  -- Observed less owed of the gain before vigorish.
    vigorish_cents BIGINT,  -- Observed less owed of the vigorish.
    net_cents BIGINT,  -- `gross_cents` less `vigorish_cents`: what the patron has too much or, below 0, too little.
    variance_cents BIGINT,  -- Of a count, which has no such sums: observed less expected.
    favours side,  -- Whom it favours: `house` or `patron`.
    put_right BOOLEAN,  -- True if it was put right after the round closed; null otherwise.
    steps STRUCT(says VARCHAR, cite VARCHAR, cents BIGINT)[],  -- The sum step by step: what it says (JSON as `message`), provision, cents.
    PRIMARY KEY (run, id, revision)
);

-- What could not be read, or not be stored, on a live floor: where it stood, why, and the text itself. `id`
-- names it by where it stood in the logs of one Kafka cluster; `noted` is when it came here.
CREATE TABLE quarantine (
    cluster VARCHAR NOT NULL,  -- The Kafka cluster.
    id VARCHAR NOT NULL,  -- Its place in the logs of that cluster.
    noted TIMESTAMP NOT NULL,  -- When it came here.
    place VARCHAR NOT NULL,  -- Its place, for people.
    reason VARCHAR NOT NULL,  -- Why it could not be read or stored.
    payload VARCHAR NOT NULL,  -- The text itself, 64 KiB at most; the archive has all of it.
    table_id VARCHAR,  -- The table, if it is known.
    code VARCHAR,  -- Why it was refused, where its sender may not send it.
    source VARCHAR,  -- Where it came from: a host, a file, a topic.
    PRIMARY KEY (cluster, id)
);

-- How far Kafka has been read: the offset of the first record of a partition that is not yet here. It is
-- written in the transaction that writes the records before it. The cluster `console` is none: under it stands how
-- far the `actions` below are in Kafka, as the number of the first that is not known to be, and their epoch: of those
-- sent from here (topics `surveillance` and `surveillance, epoch`) and of those taken back (`surveillance taken back`).
CREATE TABLE offsets (
    cluster VARCHAR NOT NULL,  -- The Kafka cluster, or `console`.
    topic VARCHAR NOT NULL,  -- The topic.
    partition INTEGER NOT NULL,  -- The partition.
    next BIGINT NOT NULL,  -- Offset of the first record that is not yet here.
    PRIMARY KEY (cluster, topic, partition)
);

-- How a table of a live floor stands now (projections/standing), as JSON: folded from its frames up to `offsets`.
CREATE TABLE standing (
    cluster VARCHAR NOT NULL,  -- The Kafka cluster.
    table_id VARCHAR NOT NULL,  -- The table.
    told VARCHAR NOT NULL,  -- How it stands, as JSON; its form may change with any version.
    PRIMARY KEY (cluster, table_id)
);

-- How an alert (a finding's id) came to the surveillance room: when, into which queue, whether it rang, and until when
-- somebody had to have taken it and closed it. A row stays as it is. Where the alert is found more urgent later, or is
-- heard when what silenced it has ended, it comes again: a further row, the highest `coming` of which holds.
CREATE TABLE alerts (
    id VARCHAR NOT NULL,  -- The finding.
    coming INTEGER NOT NULL,  -- 1, 2, …: how often it came; the highest one holds.
    about VARCHAR NOT NULL,  -- The round, shoe or account.
    gaming_date DATE NOT NULL,  -- Its gaming date.
    table_id VARCHAR NOT NULL,  -- Its table.
    check_name VARCHAR NOT NULL,  -- The check.
    severity severity NOT NULL,  -- Its severity.
    queue queue NOT NULL,  -- The queue: `act_now`, `this_shift` or `nightly`.
    came TIMESTAMP NOT NULL,  -- When it came into the queue.
    taken_due TIMESTAMP NOT NULL,  -- By when somebody had to take it.
    closed_due TIMESTAMP NOT NULL,  -- By when it had to be closed.
    rang BOOLEAN NOT NULL,  -- Whether it rang.
    PRIMARY KEY (id, coming)
);

-- What people did at the console, append-only: numbered without a gap, each with the digest of the one before.
-- `details` is what was asked for and what had to be known to do it, `before` and `after` what of the subject it
-- changed, as it stood and as it stands; as JSON.
CREATE TABLE actions (
    number BIGINT PRIMARY KEY,  -- 1, 2, … without a gap.
    id VARCHAR NOT NULL UNIQUE,  -- Name of the action; the same one sent again is carried out once.
    "at" TIMESTAMP NOT NULL,  -- When it was done.
    who VARCHAR NOT NULL,  -- The user.
    role VARCHAR NOT NULL,  -- The role in which the user acted.
    action VARCHAR NOT NULL,  -- What was done.
    subject VARCHAR NOT NULL,  -- What it was done to.
    details VARCHAR NOT NULL,  -- What was asked for, and what had to be known to do it, as JSON.
    before VARCHAR,  -- What of the subject it changed, as it stood before, as JSON.
    after VARCHAR,  -- The same as it stands after.
    previous VARCHAR,  -- Digest of the action before it.
    digest VARCHAR NOT NULL  -- SHA-256 of the other columns.
);

-- The nightly reports. Made anew with other content a report has another edition; the same again is nothing new.
CREATE TABLE reports (
    gaming_day DATE NOT NULL,  -- The gaming day.
    report VARCHAR NOT NULL,  -- Name of the report.
    edition INTEGER NOT NULL,  -- 1, 2, …; the highest one holds.
    digest VARCHAR NOT NULL,  -- SHA-256 of the body.
    made_by VARCHAR NOT NULL,  -- The software and its version.
    restricted VARCHAR,  -- The role that alone may read it.
    noted TIMESTAMP NOT NULL,  -- When it came here.
    body VARCHAR NOT NULL,  -- The report as JSON.
    PRIMARY KEY (gaming_day, report, edition)
);

-- The newest run of an audit, by which pages go; what was refused of senders is a run of its own and no audit.
CREATE VIEW newest_run AS
SELECT run FROM runs WHERE kind <> 'senders' ORDER BY made DESC, run DESC LIMIT 1;

-- The newest edition of each report.
CREATE VIEW reports_now AS
SELECT reports.*
FROM reports
ANTI JOIN reports AS later
    ON later.gaming_day = reports.gaming_day AND later.report = reports.report AND later.edition > reports.edition;

-- Each revision of a round and the one that superseded it, if any.
-- superseded_in: The revision that replaced this one; null if it holds.
CREATE VIEW revisions AS
SELECT run, id, revision, lead(revision) OVER (PARTITION BY run, id ORDER BY revision) AS superseded_in
FROM rounds;

-- The rounds, shoes and accounts as they were last concluded.
CREATE VIEW rounds_now AS
SELECT rounds.*
FROM rounds
ANTI JOIN rounds AS later
    ON later.run = rounds.run AND later.id = rounds.id AND later.revision > rounds.revision;

-- Every finding of every revision. Where the next revision of its round does not have it any more,
-- `withdrawn_in` is that revision.
-- superseded_in: The revision that replaced this one; null if it holds.
-- withdrawn_in: The revision of its round that no longer has it.
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

-- The findings that hold, without notes.
CREATE VIEW open_findings AS
SELECT * FROM findings_now WHERE weight <> 'note';

-- The findings that hold, with the names and the order of columns that exports, JSON and Kafka have. `check`, `table`
-- and `at` are quoted in SQL. The exports have the words of `message` and the pit besides.
CREATE VIEW exported_findings AS
SELECT
    findings.run,
    rounds_now.gaming_date,
    rounds_now.table_id AS "table",
    rounds_now.round,
    rounds_now.shoe,
    rounds_now.account,
    rounds_now.opened AS "at",
    rounds_now.dealer,
    rounds_now.chapter,
    rounds_now.verdict,
    findings.id,
    findings.check_name AS "check",
    findings.severity,
    findings.message,
    findings.citations,
    findings.status,
    findings.who,
    findings.seat,
    findings.bettor,
    findings.wager,
    findings.hand,
    findings.device,
    findings.serial,
    findings.patron,
    findings.concerns_table,
    findings.concerns_day,
    findings.expected_cents,
    findings.observed_cents,
    findings.gross_cents,
    findings.vigorish_cents,
    findings.net_cents,
    findings.variance_cents,
    findings.favours
FROM findings
JOIN rounds_now
    ON rounds_now.run = findings.run AND rounds_now.id = findings.round_id
    AND rounds_now.revision = findings.revision
WHERE findings.weight <> 'note';

-- The rounds that hold, a row a wager, or one where nothing was wagered, with the names and the order of columns that
-- exports have. The exports have the pit, the decks, the options and the play as text besides.
CREATE VIEW exported_rounds AS
SELECT
    rounds_now.run,
    rounds_now.gaming_date,
    rounds_now.table_id AS "table",
    rounds_now.round,
    rounds_now.shoe,
    rounds_now.dealer,
    rounds_now.chapter,
    rounds_now.opened AS "at",
    rounds_now.announced,
    rounds_now.outcome,
    rounds_now.verdict,
    rounds_now.rulebook,
    settlements.seat,
    settlements.bettor,
    settlements.hand,
    settlements.wager,
    wagers.cents,
    wagers.coupon_cents,
    wagers.coupon,
    settlements.expected_cents,
    settlements.expected_vigorish_cents,
    settlements.paid_cents,
    settlements.paid_vigorish_cents
FROM rounds_now
LEFT JOIN settlements
    ON settlements.run = rounds_now.run AND settlements.id = rounds_now.id
    AND settlements.revision = rounds_now.revision
LEFT JOIN wagers
    ON wagers.run = settlements.run AND wagers.id = settlements.id AND wagers.revision = settlements.revision
    AND wagers.seat = settlements.seat AND wagers.wager = settlements.wager
    AND wagers.bettor IS NOT DISTINCT FROM settlements.bettor
    AND wagers.hand IS NOT DISTINCT FROM settlements.hand
WHERE rounds_now.round IS NOT NULL;

-- A table's gaming day, or a ledger's, which has accounts alone. A wager's money counts once, its payment and its
-- vigorish together, however many findings are of it. What was put right, or is not proven, favours no one.
-- rounds: How many rounds.
-- clean: How many of them are clean.
-- undetermined: How many are undetermined.
-- mismatch: How many are mismatches.
-- shoes_not_clean: How many shoes are not clean.
-- accounts_not_clean: How many accounts are not clean.
-- findings: How many findings hold.
-- house_cents: What favours the house.
-- patron_cents: What favours patrons.
CREATE VIEW table_day AS
WITH concluded AS (
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
), priced AS (
    SELECT
        *,
        CASE WHEN weight = 'mismatch' AND put_right IS NULL AND favours IS NOT NULL
            THEN abs(coalesce(net_cents, variance_cents)) END AS money
    FROM open_findings
), parts AS (
    SELECT
        run,
        gaming_date,
        table_id,
        round_id,
        seat,
        bettor,
        wager,
        hand,
        CASE WHEN seat IS NULL OR wager IS NULL THEN id END AS of_itself,
        starts_with(check_name, 'vigorish') AS of_vigorish,
        count(*) AS findings,
        arg_max(CASE favours WHEN 'patron' THEN money ELSE -money END, money) AS cents
    FROM priced
    GROUP BY ALL
), wagers_found AS (
    SELECT run, gaming_date, table_id, sum(findings) AS findings, sum(cents) AS cents
    FROM parts
    GROUP BY run, gaming_date, table_id, round_id, seat, bettor, wager, hand, of_itself
), found AS (
    SELECT
        run,
        gaming_date,
        table_id,
        sum(findings)::BIGINT AS findings,
        sum(-cents) FILTER (cents < 0) AS house_cents,
        sum(cents) FILTER (cents > 0) AS patron_cents
    FROM wagers_found
    GROUP BY ALL
)
SELECT
    concluded.*,
    coalesce(found.findings, 0) AS findings,
    coalesce(found.house_cents, 0)::BIGINT AS house_cents,
    coalesce(found.patron_cents, 0)::BIGINT AS patron_cents
FROM concluded LEFT JOIN found USING (run, gaming_date, table_id);
