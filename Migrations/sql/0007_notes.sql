-- Notes and highlights: what a learner writes beside a text is a thing done in it, and so it is in the second log.

-- The log knows two kinds more. SQLite changes no CHECK of a table, so its rows move to one that is made anew; the triggers
-- that let nothing be deleted are not asked where a table goes as a whole.
CREATE TABLE activityEventWithNotes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
  learner INTEGER NOT NULL,
  session INTEGER NOT NULL,
  -- Its number among the things done in its session, from 1 without holes.
  sequence INTEGER NOT NULL CHECK (sequence >= 1),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  kind TEXT NOT NULL CHECK (
    kind IN ('seenToEnd', 'markedDone', 'markedNotDone', 'quizChecked', 'cardGraded', 'noted', 'noteRemoved')),
  detail TEXT CHECK (detail IS NULL OR json_valid(detail)),
  score REAL CHECK (score BETWEEN 0 AND 1),
  at INTEGER NOT NULL,
  -- The latest `at` of its session up to here. By it, the session's uuid and the sequence things done are in the same order
  -- in every database.
  orderedAt INTEGER NOT NULL CHECK (orderedAt >= at),
  UNIQUE (session, sequence),
  FOREIGN KEY (session, learner) REFERENCES session (id, learner)
) STRICT;

INSERT INTO activityEventWithNotes SELECT * FROM activityEvent;

-- Ids are never used again, also where the last events were erased.
UPDATE sqlite_sequence SET seq = (SELECT seq FROM sqlite_sequence WHERE name = 'activityEvent')
WHERE name = 'activityEventWithNotes' AND EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'activityEvent');
INSERT INTO sqlite_sequence (name, seq)
SELECT 'activityEventWithNotes', seq FROM sqlite_sequence
WHERE name = 'activityEvent' AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'activityEventWithNotes');

DROP TABLE activityEvent;
ALTER TABLE activityEventWithNotes RENAME TO activityEvent;

CREATE INDEX activityEventOfLearner ON activityEvent (learner, node);
CREATE INDEX activityEventOfNode ON activityEvent (node);

CREATE TRIGGER activityEventFollows BEFORE INSERT ON activityEvent BEGIN
  SELECT RAISE(ABORT, 'activityEvent: what happened does not change')
  WHERE EXISTS (SELECT 1 FROM activityEvent WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM activityEvent WHERE uuid = NEW.uuid);
  SELECT RAISE(ABORT, 'activityEvent: the session is not the learner''s')
  WHERE (SELECT learner FROM session WHERE id = NEW.session) IS NOT NEW.learner;
  SELECT RAISE(ABORT, 'activityEvent: the session has ended')
  WHERE (SELECT endedAt FROM session WHERE id = NEW.session) IS NOT NULL;
  SELECT RAISE(ABORT, 'activityEvent: the sequence has a hole')
  WHERE NEW.sequence <> 1 + coalesce((SELECT max(sequence) FROM activityEvent WHERE session = NEW.session), 0);
  SELECT RAISE(ABORT, 'activityEvent: orderedAt is not the latest time of the session')
  WHERE NEW.orderedAt <> max(NEW.at, coalesce((
    SELECT orderedAt FROM activityEvent WHERE session = NEW.session ORDER BY sequence DESC LIMIT 1), NEW.at));
  SELECT RAISE(ABORT, 'activityEvent: the node is not an activity')
  WHERE (SELECT kind FROM contentNode WHERE id = NEW.node) IS NOT 'activity'
    AND NOT EXISTS (SELECT 1 FROM merging WHERE learner = NEW.learner);
END;

CREATE TRIGGER activityEventStays BEFORE UPDATE ON activityEvent BEGIN
  SELECT RAISE(ABORT, 'activityEvent: what happened does not change')
  WHERE NOT EXISTS (SELECT 1 FROM merging WHERE learner = OLD.learner);
END;

CREATE TRIGGER activityEventIsKept BEFORE DELETE ON activityEvent
WHEN NOT EXISTS (SELECT 1 FROM erasure WHERE learner = OLD.learner)
BEGIN
  SELECT RAISE(ABORT, 'activityEvent: what happened is not forgotten');
END;

-- A projection: the notes that there are, as the last event of each says them. An event's detail has the note's name in
-- `note`; of one that was written also `text`, `anchor`, `digest`, `from`, `to` and `quote`.
CREATE TABLE note (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  uuid TEXT NOT NULL CHECK (length(uuid) = 36),
  text TEXT NOT NULL,  -- '' for a highlight without words
  anchor TEXT NOT NULL,  -- of the heading above it; '' before the first
  digest TEXT NOT NULL,  -- of the passage, as in passageRead
  start INTEGER NOT NULL CHECK (start >= 0),  -- its first character in the passage, blanks not counted
  stop INTEGER NOT NULL CHECK (stop >= start),  -- the one behind its last
  quote TEXT NOT NULL,  -- the words that it is about
  createdAt INTEGER NOT NULL,
  changedAt INTEGER NOT NULL,
  PRIMARY KEY (learner, node, uuid)
) STRICT, WITHOUT ROWID;
