-- A new course comes in small pieces, so that nobody waits for it, and is seen when the last piece is there.
--
-- Until then it is a tree without a course: its top node is removed, and has neither its key nor its slug yet, so that
-- nobody who asks by name, by path or from the root finds the way into it. There is no row of it in course or
-- courseRevision; whoever writes it does so without foreign keys, and the few rows that publish it make them true. An
-- import that was killed leaves what it wrote, and whoever imports next, or opens the database, clears it away.

-- The courses on their way. Whoever brings one holds a file locked that is named after it.
CREATE TABLE arrival (
  course INTEGER PRIMARY KEY REFERENCES contentNode (id) DEFERRABLE INITIALLY DEFERRED,  -- its top node
  lastNode INTEGER NOT NULL CHECK (lastNode >= course)  -- its nodes have the ids from the top node's to this one
) STRICT;

CREATE TRIGGER arrivalIsNew BEFORE INSERT ON arrival
BEGIN
  SELECT RAISE(ABORT, 'a course that is there is not on its way')
  WHERE EXISTS (SELECT 1 FROM course WHERE node = NEW.course)
    OR EXISTS (SELECT 1 FROM contentNode WHERE id = NEW.course AND (parent IS NOT NULL OR living = 1));
END;

CREATE TRIGGER arrivalStays BEFORE UPDATE ON arrival
BEGIN
  SELECT RAISE(ABORT, 'an arrival does not change');
END;

CREATE TRIGGER courseHasArrived BEFORE INSERT ON course WHEN EXISTS (SELECT 1 FROM arrival WHERE course = NEW.node)
BEGIN
  SELECT RAISE(ABORT, 'the course is still on its way');
END;

-- What nobody has seen yet may go again, and gets its name last.
DROP TRIGGER contentNodeIsKept;
CREATE TRIGGER contentNodeIsKept BEFORE DELETE ON contentNode
WHEN NOT EXISTS (SELECT 1 FROM arrival WHERE course = OLD.course)
BEGIN
  SELECT RAISE(ABORT, 'a node is never deleted: set removedInRevision');
END;

DROP TRIGGER contentNodeStays;
CREATE TRIGGER contentNodeStays BEFORE UPDATE OF id, course, key ON contentNode
WHEN NEW.id <> OLD.id OR NEW.course <> OLD.course
  OR NEW.key <> OLD.key AND NOT EXISTS (SELECT 1 FROM arrival WHERE course = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'a node keeps its id, its course and its key');
END;

-- The nodes of courses that are there, living and removed ones: for whoever looks at all nodes at once instead of
-- walking down to them.
CREATE VIEW arrivedNode AS
SELECT * FROM contentNode WHERE course NOT IN (SELECT course FROM arrival);

-- The nodes of new courses whose words the index does not have yet, as two ids for each course: all of them need not be
-- put into searchQueue one by one when the course is published.
CREATE TABLE searchRange (
  course INTEGER PRIMARY KEY REFERENCES course (node),
  nextNode INTEGER NOT NULL,
  lastNode INTEGER NOT NULL,
  CHECK (nextNode <= lastNode)
) STRICT;

DROP VIEW place;
CREATE VIEW place AS
SELECT
  node.id, node.course, node.parent, node.kind, node.title, node.summary, node.minutes, node.position, node.slug,
  (
    WITH RECURSIVE above (parent, path) AS (
      VALUES (node.parent, node.slug)
      UNION ALL
      SELECT next.parent, next.slug || '/' || above.path FROM contentNode AS next JOIN above ON next.id = above.parent
    )
    SELECT path FROM above WHERE parent IS NULL
  ) AS path,
  node.removedInRevision
FROM contentNode AS node
WHERE node.course NOT IN (SELECT course FROM arrival);
