-- Each index that a step is entered into is a page that its commit writes. These three answered nothing that is not found
-- as quickly without them.

-- Only the last visit of a session may go on: no step comes before the place before was left. So it is enough to look at
-- that one.
DROP TRIGGER sessionEndsWithItsVisit;
CREATE TRIGGER sessionEndsWithItsVisit BEFORE UPDATE OF endedAt ON session
WHEN NEW.endedAt IS NOT NULL
  AND (SELECT leftAt IS NULL FROM navigationEvent WHERE session = NEW.id ORDER BY sequence DESC LIMIT 1)
BEGIN
  SELECT RAISE(ABORT, 'session: the last place was not left');
END;
DROP INDEX navigationEventUnfinished;

-- Only open sessions have a stack: there are a few rows, and nobody asks them for a node.
DROP INDEX stackEntryOfNode;

-- The visits that back and forward move along, asked for by their position alone: the current one is the last, or stands a
-- few before it.
CREATE TABLE visitEntryByPosition (
  session INTEGER NOT NULL,
  position INTEGER NOT NULL CHECK (position >= 0),
  sequence INTEGER NOT NULL,
  PRIMARY KEY (session, position),
  FOREIGN KEY (session, sequence) REFERENCES navigationEvent (session, sequence)
) STRICT, WITHOUT ROWID;
INSERT INTO visitEntryByPosition (session, position, sequence)
SELECT session, position, sequence FROM visitEntry ORDER BY session, position;
DROP TABLE visitEntry;
ALTER TABLE visitEntryByPosition RENAME TO visitEntry;
