-- Which steps were in sessions of a name, so that their history is a walk down one index, as every other filter's is. A
-- browser's sessions all have one name, and are tens of thousands after some years.
--
-- The database keeps it by itself: a session keeps its name, and steps only come, or are erased.

CREATE TABLE visitNamed (
  learner INTEGER NOT NULL,
  name TEXT NOT NULL,
  event INTEGER NOT NULL,
  PRIMARY KEY (learner, name, event)
) STRICT, WITHOUT ROWID;

INSERT INTO visitNamed (learner, name, event)
SELECT event.learner, session.name, event.id
FROM navigationEvent AS event JOIN session ON session.id = event.session
ORDER BY event.learner, session.name, event.id;

CREATE TRIGGER navigationEventNamed AFTER INSERT ON navigationEvent BEGIN
  INSERT INTO visitNamed (learner, name, event)
  SELECT NEW.learner, name, NEW.id FROM session WHERE id = NEW.session;
END;

CREATE TRIGGER navigationEventErased AFTER DELETE ON navigationEvent BEGIN
  DELETE FROM visitNamed
  WHERE learner = OLD.learner AND name = (SELECT name FROM session WHERE id = OLD.session) AND event = OLD.id;
END;
