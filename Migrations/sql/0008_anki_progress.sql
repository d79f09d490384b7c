-- Exports to Anki: the numbers of notes and cards, and the flags of cards.
ALTER TABLE sourceNote ADD COLUMN id INTEGER NOT NULL DEFAULT 0;  -- 0 for a note that was imported before this migration
ALTER TABLE sourceNote ADD COLUMN cards TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(cards));

-- Imports from Anki: the state of a card there follows its last answer there, and not the answers that were given here later.
DROP TRIGGER activityEventFollows;
CREATE TRIGGER activityEventFollows BEFORE INSERT ON activityEvent BEGIN
  SELECT RAISE(ABORT, 'activityEvent: a recorded value never changes')
  WHERE EXISTS (SELECT 1 FROM activityEvent WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM activityEvent WHERE uuid = NEW.uuid);
  SELECT RAISE(ABORT, 'activityEvent: the session is not the learner''s')
  WHERE (SELECT learner FROM session WHERE id = NEW.session) IS NOT NEW.learner;
  SELECT RAISE(ABORT, 'activityEvent: the session has ended')
  WHERE (SELECT endedAt FROM session WHERE id = NEW.session) IS NOT NULL;
  SELECT RAISE(ABORT, 'activityEvent: the session belongs to another database')
  WHERE (SELECT replica FROM session WHERE id = NEW.session) <> (SELECT uuid FROM replica)
    AND NOT EXISTS (SELECT 1 FROM merging WHERE learner = NEW.learner);
  SELECT RAISE(ABORT, 'activityEvent: the sequence has a gap')
  WHERE NEW.sequence <> 1 + coalesce((SELECT max(sequence) FROM activityEvent WHERE session = NEW.session), 0);
  -- The clock of the system contributes at most the end of the year 9999.
  SELECT RAISE(ABORT, 'activityEvent: orderedAt does not follow the learner''s other events')
  FROM (SELECT max(0, min(NEW.at, 253402300799999)) AS own, (
    SELECT max(orderedAt) FROM activityEvent INDEXED BY activityEventInOrder WHERE learner = NEW.learner) AS last)
  WHERE NEW.orderedAt <> min(9007199254740991, max(own, 1 + coalesce(last, -1)))
    AND NOT (NEW.kind IN ('cardGraded', 'cardScheduled') AND NEW.orderedAt = own)
    AND NOT EXISTS (SELECT 1 FROM merging WHERE learner = NEW.learner);
  SELECT RAISE(ABORT, 'activityEvent: the node is not an activity')
  WHERE (SELECT kind FROM contentNode WHERE id = NEW.node) IS NOT 'activity'
    AND NOT EXISTS (SELECT 1 FROM merging WHERE learner = NEW.learner);
END;
