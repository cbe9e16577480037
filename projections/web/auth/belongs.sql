-- What each record belongs to, as was noted when somebody opened it; taken from the log, also of a file that was
-- made before this was kept apart from it.
CREATE TABLE belongs (
    record TEXT NOT NULL,
    whole TEXT NOT NULL,
    PRIMARY KEY (whole, record)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER log_belongs AFTER INSERT ON log WHEN NEW.kind = 'looked' AND NEW.within IS NOT NULL BEGIN
    INSERT INTO belongs SELECT NEW.subject, value FROM json_each(NEW.within) WHERE true ON CONFLICT DO NOTHING;
END;
INSERT INTO belongs
SELECT DISTINCT subject, value FROM log, json_each(within) WHERE kind = 'looked' AND within IS NOT NULL;
