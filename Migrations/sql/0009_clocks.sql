-- A time that has not come yet, told by another machine, does not hide those behind it: `clock` goes with it no further than
-- five minutes, and what was said is kept in `at`.

-- The rows stay as they are, so nothing but the text of the table changes.
--
-- Source: SQLite, "ALTER TABLE", "Making Other Kinds Of Table Schema Changes": a CHECK that goes.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'clock INTEGER NOT NULL CHECK (clock >= at)', 'clock INTEGER NOT NULL')
WHERE type = 'table' AND name = 'navigationEvent';
PRAGMA writable_schema = RESET;

-- Steps that say such a time.
CREATE INDEX navigationEventAhead ON navigationEvent (learner, at) WHERE at > clock;

DROP TRIGGER navigationEventFollows;

CREATE TRIGGER navigationEventFollows BEFORE INSERT ON navigationEvent BEGIN
  -- INSERT OR REPLACE would delete without asking the trigger below.
  SELECT RAISE(ABORT, 'navigationEvent: what happened does not change')
  WHERE EXISTS (SELECT 1 FROM navigationEvent WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM navigationEvent WHERE uuid = NEW.uuid);
  SELECT RAISE(ABORT, 'navigationEvent: the session is not the learner''s')
  WHERE (SELECT learner FROM session WHERE id = NEW.session) IS NOT NEW.learner;
  SELECT RAISE(ABORT, 'navigationEvent: the session has ended')
  WHERE (SELECT endedAt FROM session WHERE id = NEW.session) IS NOT NULL;
  SELECT RAISE(ABORT, 'navigationEvent: the sequence has a hole')
  WHERE NEW.sequence <> 1 + coalesce((SELECT max(sequence) FROM navigationEvent WHERE session = NEW.session), 0);
  SELECT RAISE(ABORT, 'navigationEvent: the step does not begin where the last one ended')
  FROM navigationEvent AS last
  WHERE last.session = NEW.session AND last.sequence = NEW.sequence - 1
    AND NOT (last.toNode IS NEW.fromNode AND last.toKind IS NEW.fromKind);
  SELECT RAISE(ABORT, 'navigationEvent: the place before was not left')
  FROM navigationEvent AS last
  WHERE last.session = NEW.session AND last.sequence = NEW.sequence - 1 AND last.leftAt IS NULL;
  SELECT RAISE(ABORT, 'navigationEvent: a traversal does not say which visit it returns to')
  WHERE NEW.returnsTo IS NULL AND NEW.operation IN ('back', 'forward')
    AND NOT EXISTS (SELECT 1 FROM merging WHERE learner = NEW.learner);
  SELECT RAISE(ABORT, 'navigationEvent: the visit returned to was of another place')
  FROM navigationEvent AS visit
  WHERE visit.session = NEW.session AND visit.sequence = NEW.returnsTo AND visit.toNode IS NOT NEW.toNode;
  SELECT RAISE(ABORT, 'navigationEvent: the stack does not end in the place')
  WHERE json_extract(NEW.stack, '$[#-1]') IS NOT NEW.toNode;
  SELECT RAISE(ABORT, 'navigationEvent: the stack names a node that does not exist')
  FROM json_each(NEW.stack) WHERE NOT EXISTS (SELECT 1 FROM contentNode WHERE id = value);
  SELECT RAISE(ABORT, 'navigationEvent: clock is not the latest time of the learner')
  FROM (SELECT (SELECT clock FROM navigationEvent WHERE learner = NEW.learner ORDER BY id DESC LIMIT 1) AS before)
  WHERE NEW.clock <> max(NEW.at, coalesce(before, NEW.at))
    -- Nothing here can know what time it is; a merge does.
    AND NOT (NEW.clock < NEW.at AND NEW.clock >= coalesce(before, NEW.clock)
      AND EXISTS (SELECT 1 FROM merging WHERE learner = NEW.learner));
END;
