-- What comes from another database, in a learner's file, is true as it was there, and may not be over there.

-- Whether a session was going on elsewhere when it came here. Here it ends with its last input, so that it reads; but how
-- long its last visit lasted is only known when the rest of it comes.
ALTER TABLE session ADD COLUMN openElsewhere INTEGER NOT NULL DEFAULT 0 CHECK (openElsewhere IN (0, 1));

-- While a learner's name stands here, inside one transaction, what they did elsewhere is written down: in places that were
-- activities then and there, whatever they are here and now.
CREATE TABLE merging (
  learner INTEGER PRIMARY KEY REFERENCES learner (id)
) STRICT;

DROP TRIGGER activityEventFollows;
CREATE TRIGGER activityEventFollows BEFORE INSERT ON activityEvent BEGIN
  SELECT RAISE(ABORT, 'activityEvent: what happened does not change')
  WHERE EXISTS (SELECT 1 FROM activityEvent WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM activityEvent WHERE uuid = NEW.uuid);
  SELECT RAISE(ABORT, 'activityEvent: the session is not the learner''s')
  WHERE (SELECT learner FROM session WHERE id = NEW.session) IS NOT NEW.learner;
  SELECT RAISE(ABORT, 'activityEvent: the session has ended')
  WHERE (SELECT endedAt FROM session WHERE id = NEW.session) IS NOT NULL;
  SELECT RAISE(ABORT, 'activityEvent: the node is not an activity')
  WHERE (SELECT kind FROM contentNode WHERE id = NEW.node) IS NOT 'activity'
    AND NOT EXISTS (SELECT 1 FROM merging WHERE learner = NEW.learner);
END;
