-- Much of a course comes as it goes: written in small pieces, and seen by everybody at once.
--
-- New nodes, and those that come back to where they stood, are written beforehand as living, below a place that is not in
-- the course yet, so that nobody gets to them from above; those that will stand right below a place that is there are
-- written as removed. Until the edition of their course is published they count as what they were: removed, or as nothing
-- at all. Then a few rows let the highest of them live, and all that is below them is there. Afterwards the marks are
-- taken away in pieces, by whoever began it, or by the next who comes.

-- The revision in which such a node was removed before, 0 where it has never been there.
ALTER TABLE contentNode ADD COLUMN goneSince INTEGER CHECK (goneSince >= 0);

-- What nobody has seen yet may go again.
DROP TRIGGER contentNodeIsKept;
CREATE TRIGGER contentNodeIsKept BEFORE DELETE ON contentNode
WHEN NOT EXISTS (SELECT 1 FROM arrival WHERE course = OLD.course)
  AND (OLD.goneSince IS NOT 0 OR NOT EXISTS (SELECT 1 FROM edition WHERE course = OLD.course AND NOT isPublished))
BEGIN
  SELECT RAISE(ABORT, 'a node is never deleted: set removedInRevision');
END;

-- The nodes of courses that are there, living and removed ones, as they count now: for whoever looks at all nodes at once
-- instead of walking down to them.
DROP VIEW arrivedNode;
CREATE VIEW arrivedNode AS
SELECT
  node.id, node.course, node.parent, node.key, node.kind, node.position, node.slug, node.title, node.summary,
  node.minutes,
  CASE
    WHEN node.goesIn IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course)
      THEN node.goesIn
    WHEN node.goneSince IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course) IS NOT 1
      THEN node.goneSince
    ELSE node.removedInRevision END AS removedInRevision,
  CASE
    WHEN node.goesIn IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course) THEN NULL
    WHEN node.goneSince IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course) IS NOT 1
      THEN NULL
    ELSE node.living END AS living,
  node.nextTitle, node.nextSummary, node.nextMinutes, node.goesIn, node.goneSince
FROM contentNode AS node
WHERE node.course NOT IN (SELECT course FROM arrival)
  AND (node.goneSince IS NOT 0 OR (SELECT isPublished FROM edition WHERE edition.course = node.course));

-- Those that are written already and do not count yet.
CREATE VIEW comingNode AS
SELECT node.id, node.course FROM contentNode AS node
WHERE node.goneSince IS NOT NULL
  AND (SELECT isPublished FROM edition WHERE edition.course = node.course) IS NOT 1;

-- The view for everyone, without what has not come.
DROP VIEW place;
CREATE VIEW place AS
SELECT
  node.id, node.course, node.parent, node.kind,
  CASE WHEN node.nextTitle IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course)
    THEN node.nextTitle ELSE node.title END AS title,
  CASE WHEN node.nextTitle IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course)
    THEN node.nextSummary ELSE node.summary END AS summary,
  CASE WHEN node.nextTitle IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course)
    THEN node.nextMinutes ELSE node.minutes END AS minutes,
  node.position, node.slug,
  (
    WITH RECURSIVE above (parent, path) AS (
      VALUES (node.parent, node.slug)
      UNION ALL
      SELECT next.parent, next.slug || '/' || above.path FROM contentNode AS next JOIN above ON next.id = above.parent
    )
    SELECT path FROM above WHERE parent IS NULL
  ) AS path,
  CASE
    WHEN node.goesIn IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course)
      THEN node.goesIn
    WHEN node.goneSince IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course) IS NOT 1
      THEN node.goneSince
    ELSE node.removedInRevision END AS removedInRevision
FROM contentNode AS node
WHERE node.course NOT IN (SELECT course FROM arrival)
  AND (node.goneSince IS NOT 0 OR (SELECT isPublished FROM edition WHERE edition.course = node.course));
