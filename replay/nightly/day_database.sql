-- The audited day as the reports select from it. `place` is the order in which things stood in the day's book,
-- money is whole cents, moments are microseconds UTC. What a report says in words stands here in words.

CREATE TABLE day (
    place INTEGER, date DATE, day_ends BIGINT, has_shifts BOOLEAN, in_limit BIGINT, out_limit BIGINT,
    ends_quarter BOOLEAN, is_compared BOOLEAN, runs VARCHAR, is_worked BOOLEAN, worked_until BIGINT
);
CREATE TABLE severities (place INTEGER, severity VARCHAR);
CREATE TABLE levels (place INTEGER, level VARCHAR);
CREATE TABLE games (place INTEGER, chapter VARCHAR, game VARCHAR);
CREATE TABLE shifts (place INTEGER, name VARCHAR, shift_begins BIGINT);

-- Tables, and what happened at them.
CREATE TABLE tables (
    place INTEGER, table_name VARCHAR, chapter VARCHAR, has_inventory BOOLEAN, open_micros BIGINT, unnamed_cents BIGINT
);
CREATE TABLE played (  -- rounds added up with their theory
    -- `level` is table, shift (of a table), game, house, house_shift (of all tables), dealer or floorperson
    place INTEGER, level VARCHAR, table_name VARCHAR, chapter VARCHAR, shift INTEGER, person VARCHAR, is_any BOOLEAN,
    rounds BIGINT, settled BIGINT, settlements BIGINT, staked_cents BIGINT, settled_win_cents BIGINT,
    owed_cents BIGINT, otherwise_cents BIGINT, open_cents BIGINT, weighed_cents BIGINT,
    theoretical_cents BIGINT, low_cents BIGINT, high_cents BIGINT,
    unknown_wagers BIGINT, unknown_cents BIGINT, within VARCHAR,
    known_cents BIGINT, paced_rounds BIGINT, paced_micros BIGINT
);
CREATE TABLE moved (place INTEGER, table_name VARCHAR, moment BIGINT, what VARCHAR, cents BIGINT);
CREATE TABLE counts (place INTEGER, table_name VARCHAR, moment BIGINT, occasion VARCHAR, cents BIGINT);
CREATE TABLE bought (place INTEGER, table_name VARCHAR, patron VARCHAR, cents BIGINT);
CREATE TABLE devices (place INTEGER, table_name VARCHAR, device VARCHAR, reads VARCHAR);
CREATE TABLE silences (place INTEGER, table_name VARCHAR, device VARCHAR, micros BIGINT);
CREATE TABLE undetermined (
    place INTEGER, table_name VARCHAR, round VARCHAR, devices VARCHAR, cause VARCHAR, key VARCHAR
);
CREATE TABLE hanging (place INTEGER, table_name VARCHAR, device VARCHAR);  -- a round on what did not come
CREATE TABLE at_odds (place INTEGER, table_name VARCHAR, devices VARCHAR, reads VARCHAR);  -- a round on two
CREATE TABLE coupons (
    place INTEGER, table_name VARCHAR, is_played BOOLEAN, value_cents BIGINT, result VARCHAR
);
CREATE TABLE changes (
    place INTEGER, table_name VARCHAR, since BIGINT, source VARCHAR, options VARCHAR, rulebook_before VARCHAR,
    first_round VARCHAR, rounds BIGINT, differing BIGINT, unknown BIGINT, cents BIGINT
);

-- Lines of accounts, and what was found in them. `holder` is `table` for a table's shoes and inventory as they
-- were concluded, `inventory` for the one that ledgers are held against, `ledger` for a ledger's own.
CREATE TABLE lines (
    place INTEGER, holder VARCHAR, table_name VARCHAR, account VARCHAR, shoe VARCHAR, key VARCHAR,
    name VARCHAR, of_what VARCHAR, box VARCHAR, how_many BIGINT, cents BIGINT, chips VARCHAR
);
CREATE TABLE account_findings (
    place INTEGER, holder VARCHAR, table_name VARCHAR, account VARCHAR, shoe VARCHAR, key VARCHAR,
    check_name VARCHAR, weight VARCHAR, who VARCHAR, at_table VARCHAR, serial VARCHAR, message VARCHAR,
    doubts_slip BOOLEAN
);
CREATE TABLE counter_checks (
    place INTEGER, counter_check VARCHAR, patron VARCHAR, made DATE, table_name VARCHAR, cents BIGINT,
    redeemed_cents BIGINT
);

-- Findings of rounds, shoes and accounts; `of_table` is the table on whose day it was found, of no ledger's.
CREATE TABLE findings (
    place INTEGER, of_table VARCHAR, table_name VARCHAR, chapter VARCHAR, round VARCHAR, shoe VARCHAR,
    account VARCHAR, key VARCHAR, shift INTEGER, dealer VARCHAR, floorperson VARCHAR,
    wager VARCHAR, about VARCHAR,
    id VARCHAR, check_name VARCHAR, weight VARCHAR, severity VARCHAR, favours VARCHAR, put_right BOOLEAN,
    says VARCHAR, serial VARCHAR, citations VARCHAR, status VARCHAR,
    gross_cents BIGINT, vigorish_cents BIGINT, net_cents BIGINT, variance_cents BIGINT, comes_to_cents BIGINT
);

-- What else does not reconcile.
CREATE TABLE compared (place INTEGER, comparison INTEGER, table_name VARCHAR, same BIGINT);
CREATE TABLE differences (
    place INTEGER, comparison INTEGER, table_name VARCHAR, what VARCHAR, key VARCHAR, about VARCHAR, how VARCHAR
);
CREATE TABLE altered (place INTEGER, where_found VARCHAR, says VARCHAR);
CREATE TABLE lacking (place INTEGER, table_name VARCHAR, what VARCHAR, says VARCHAR);

-- Earlier days' reports; `span` is month or year to date.
CREATE TABLE earlier (
    place INTEGER, span VARCHAR, table_name VARCHAR, chapter VARCHAR, drop_cents BIGINT, win_cents BIGINT
);
CREATE TABLE unreported (place INTEGER, report VARCHAR, span VARCHAR, days VARCHAR);

-- The surveillance room.
CREATE TABLE quieted (
    place INTEGER, moment BIGINT, who VARCHAR, role VARCHAR, what VARCHAR, of_what VARCHAR, until BIGINT,
    reason VARCHAR
);
CREATE TABLE breaches (
    place INTEGER, severity VARCHAR, step VARCHAR, table_name VARCHAR, about VARCHAR, gaming_day DATE,
    check_name VARCHAR, due BIGINT, done BIGINT, minutes_over BIGINT, who VARCHAR, key VARCHAR
);
CREATE TABLE closed (place INTEGER, alert VARCHAR, check_name VARCHAR, outcome VARCHAR, stood BIGINT);
CREATE TABLE waiting (place INTEGER, stood BIGINT, escalated VARCHAR);
CREATE TABLE confirmed (place INTEGER, alert VARCHAR);

-- An exact share, which becomes a fraction: none of nothing, and none of what is not known.
CREATE MACRO ratio(part, whole) AS
    CASE WHEN part IS NOT NULL AND whole <> 0 THEN {'over': part::HUGEINT, 'under': whole::HUGEINT} END;
-- A share to three decimal places, a half to the even one; neither part is below zero.
CREATE MACRO thousandths(part, whole) AS (part::HUGEINT * 1000) // nullif(whole, 0);
CREATE MACRO left_over(part, whole) AS 2 * ((part::HUGEINT * 1000) % nullif(whole, 0));
CREATE MACRO to_thousandths(part, whole) AS ratio(
    thousandths(part, whole) + CASE
        WHEN left_over(part, whole) > whole THEN 1
        WHEN left_over(part, whole) = whole THEN thousandths(part, whole) % 2
        ELSE 0
    END,
    1000
);
-- A sum that is known where each part of it is.
CREATE MACRO known_sum(cents) AS CASE WHEN count(cents) = count(*) THEN coalesce(sum(cents), 0) END;
CREATE MACRO dollars(cents) AS
    CASE WHEN cents < 0 THEN '-' ELSE '' END
    || format('${:,}.{:02d}', (abs(cents) // 100)::BIGINT, (abs(cents) % 100)::BIGINT);
CREATE MACRO shift_of(micros) AS (SELECT count(*) FROM shifts WHERE shift_begins <= micros);
-- What a report says of days of which it has nothing, and which are therefore in none of its sums to date.
CREATE MACRO not_to_date(name) AS (
    SELECT string_agg(says, ' ' ORDER BY span) FROM (
        SELECT span, format('Not reported, so not in the {} to date: {}.', span,
            string_agg(days, ', ' ORDER BY place)) AS says
        FROM unreported WHERE report = name GROUP BY span
    )
);
-- What a report of what the store has says where no store was given.
CREATE MACRO no_snapshot() AS 'No snapshot was given.';

-- What speaks against a table's inventory slip of the day.
CREATE VIEW slip_doubts AS
SELECT table_name, string_agg(message, '; ' ORDER BY place) AS doubts
FROM account_findings
WHERE holder = 'inventory' AND doubts_slip
GROUP BY ALL;

-- Proven findings; `money` is what one is about, none where that is nothing, or was put right.
CREATE VIEW proven AS
SELECT *, CASE WHEN favours IS NOT NULL AND NOT put_right THEN abs(comes_to_cents) END AS money
FROM findings WHERE weight = 'mismatch';

-- What each wager comes to by all that is proven of it, its payment and its vigorish together; a finding without a
-- wager stands for itself. Several findings of one part of a wager are of the same money.
CREATE VIEW wrong_wagers AS
WITH parts AS (
    SELECT of_table, round, key, shift, dealer, floorperson, coalesce(wager, id) AS of_wager,
        starts_with(check_name, 'vigorish') AS of_vigorish,
        arg_max(CASE favours WHEN 'patron' THEN money ELSE -money END, money) AS cents
    FROM proven WHERE money IS NOT NULL GROUP BY ALL
)
SELECT of_table, round, key, shift, dealer, floorperson,
    CASE WHEN sum(cents) > 0 THEN 'patron' ELSE 'house' END AS favours, abs(sum(cents)) AS cents
FROM parts GROUP BY of_table, round, key, shift, dealer, floorperson, of_wager HAVING sum(cents) <> 0;

-- A table's drop and win: drop + closer + credits - opener - fills. Counted in the count room, else estimated
-- by the buy-ins seen. Opener and closer stand as the slips have them, and a slip that is doubted is told.
CREATE VIEW wins AS
WITH count_room AS (
    SELECT of_what AS table_name,
        last(cents ORDER BY place) FILTER (WHERE name = 'drop') AS counted_drop,
        last(cents ORDER BY place) FILTER (WHERE name = 'win') AS counted_win,
        last(cents ORDER BY place) FILTER (WHERE name = 'drop_estimated') AS estimated_drop,
        last(cents ORDER BY place) FILTER (WHERE name = 'win_estimated') AS estimated_win
    FROM lines WHERE holder = 'ledger' AND account = 'drop' GROUP BY ALL
), seen AS (
    SELECT table_name, sum(cents) AS seen_drop
    FROM moved WHERE what IN ('cash', 'counter_checks') GROUP BY ALL
), counted AS (  -- lines are signed into the tray: fills are positive, credits negative
    SELECT table_name,
        first(cents ORDER BY place) FILTER (WHERE name = 'opener') AS opener,
        first(cents ORDER BY place) FILTER (WHERE name = 'closer') AS closer,
        coalesce(first(cents ORDER BY place) FILTER (WHERE name = 'fills'), 0)
            + coalesce(first(cents ORDER BY place) FILTER (WHERE name = 'credits'), 0) AS carried
    FROM lines WHERE holder = 'inventory' GROUP BY ALL
)
SELECT place, table_name, chapter,
    coalesce(counted_drop, estimated_drop, seen_drop, 0) AS drop_cents,
    CASE
        WHEN counted_drop IS NOT NULL THEN counted_win
        WHEN estimated_drop IS NOT NULL THEN estimated_win
        ELSE coalesce(seen_drop, 0) + closer - opener - carried
    END AS win_cents,
    CASE WHEN counted_drop IS NOT NULL THEN 'counted' ELSE 'estimated' END || CASE
        WHEN doubts IS NULL THEN ''
        WHEN coalesce(counted_drop, estimated_drop) IS NULL AND closer - opener IS NULL THEN ''
        ELSE ', slip doubted'
    END AS basis
FROM tables
LEFT JOIN count_room USING (table_name)
LEFT JOIN seen USING (table_name)
LEFT JOIN counted USING (table_name)
LEFT JOIN slip_doubts USING (table_name);

-- How the drop of several tables was told: counted where that of each was; a doubt is of all.
CREATE MACRO basis_of_all(basis) AS
    CASE WHEN coalesce(bool_and(starts_with(basis, 'counted')), TRUE) THEN 'counted' ELSE 'estimated' END
    || CASE WHEN coalesce(bool_or(ends_with(basis, ', slip doubted')), FALSE) THEN ', slip doubted' ELSE '' END;

-- The vigorish of each person in an account of a shoe.
CREATE VIEW vigorish AS
SELECT min(min(place)) OVER (PARTITION BY key) AS place, table_name, shoe, key, of_what AS who,
    coalesce(sum(cents) FILTER (name = 'vigorish_accrued'), 0) AS accrued,
    coalesce(sum(cents) FILTER (name = 'vigorish_rounding'), 0) AS rounding,
    coalesce(sum(cents) FILTER (name = 'vigorish_taken'), 0) AS taken,
    coalesce(sum(cents) FILTER (name = 'vigorish_marked'), 0) AS marked,
    coalesce(sum(cents) FILTER (name = 'vigorish_collected'), 0) AS collected,
    coalesce(sum(cents) FILTER (name = 'vigorish_owed'), 0) AS owed
FROM lines
WHERE holder = 'table' AND of_what IS NOT NULL AND cents IS NOT NULL AND name IN (
    'vigorish_accrued', 'vigorish_rounding', 'vigorish_taken', 'vigorish_marked', 'vigorish_collected',
    'vigorish_owed'
)
GROUP BY table_name, shoe, key, who;

-- All that does not reconcile: differences from the store, what was altered or not read, then findings.
CREATE VIEW open_items AS
SELECT 1 AS part, place, table_name, about, replace(what, 'differing', 'differs') AS what,
    'mismatch' AS weight, 'data' AS severity,
    CASE what
        WHEN 'differing' THEN 'the live store has it otherwise than the audit'
        WHEN 'missing' THEN 'the live store does not have it'
        WHEN 'extra' THEN 'the live store alone has it'
    END || coalesce(': ' || how, '') AS says,
    NULL AS cents, NULL AS citations, [key] AS keys
FROM differences
UNION ALL
SELECT 2, place, 'archive', where_found, 'altered', 'mismatch', 'data', says, NULL, NULL, [] FROM altered
UNION ALL
SELECT 3, place, table_name, 'archive', what, 'undetermined', 'data', says, NULL, NULL, [] FROM lacking
UNION ALL
SELECT 4, place, table_name, about, check_name, weight, severity, says, comes_to_cents, citations, [key]
FROM findings;

-- Findings of the day's rounds that an operator had closed as confirmed.
CREATE VIEW confirmed_findings AS
SELECT * FROM findings WHERE round IS NOT NULL AND id IN (SELECT alert FROM confirmed);

-- What a report of alerts rests on, after what it says itself.
CREATE MACRO rests_on(says, day) AS CASE
    WHEN NOT day.is_worked THEN no_snapshot()
    WHEN day.worked_until < day.day_ends THEN coalesce(says || '; the', 'The') || ' day had not ended.'
    ELSE says || '.'
END;
