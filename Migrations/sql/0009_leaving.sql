-- Much of a course goes as it comes: seen by everybody at once, and written in small pieces.
--
-- Beforehand each node that is to go is marked, in pieces of which nobody sees anything. Then one small transaction takes
-- away the highest of them, below which nobody gets any more, and publishes the edition: from then on the marked ones
-- count as removed. They are removed in pieces afterwards, by whoever began it, or by the next who comes.

-- The revision in which the node goes, once the edition of its course is published.
ALTER TABLE contentNode ADD COLUMN goesIn INTEGER CHECK (goesIn >= 1);

-- The nodes of courses that are there, living and removed ones, as they count now: for whoever looks at all nodes at once
-- instead of walking down to them.
DROP VIEW arrivedNode;
CREATE VIEW arrivedNode AS
SELECT
  node.id, node.course, node.parent, node.key, node.kind, node.position, node.slug, node.title, node.summary,
  node.minutes,
  CASE WHEN node.goesIn IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course)
    THEN node.goesIn ELSE node.removedInRevision END AS removedInRevision,
  CASE WHEN node.goesIn IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course)
    THEN NULL ELSE node.living END AS living,
  node.nextTitle, node.nextSummary, node.nextMinutes, node.goesIn
FROM contentNode AS node
WHERE node.course NOT IN (SELECT course FROM arrival);

-- Those that count as removed and are still to be taken out of everything that is worked out from the logs.
CREATE VIEW leavingNode AS
SELECT node.id, node.course FROM contentNode AS node
WHERE node.goesIn IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course);

-- The views for everyone, without what has gone.

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
  CASE WHEN node.goesIn IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course)
    THEN node.goesIn ELSE node.removedInRevision END AS removedInRevision
FROM contentNode AS node
WHERE node.course NOT IN (SELECT course FROM arrival);

DROP VIEW learnerProgress;
CREATE VIEW learnerProgress AS
SELECT
  learner.name AS learner,
  (
    WITH RECURSIVE above (node, path) AS (
      SELECT parent, slug FROM contentNode WHERE id = placeProgress.node
      UNION ALL
      SELECT parent, slug || '/' || path FROM above JOIN contentNode ON id = node
    )
    SELECT path FROM above WHERE node IS NULL) AS path,
  node.kind AS kind,
  CASE WHEN node.nextTitle IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course)
    THEN node.nextTitle ELSE node.title END AS title,
  placeProgress.begun AS begun,
  placeProgress.done AS done,
  placeTotal.activities AS total
FROM placeProgress
JOIN learner ON learner.id = placeProgress.learner
JOIN contentNode AS node ON node.id = placeProgress.node AND node.removedInRevision IS NULL
  AND (node.goesIn IS NULL OR (SELECT isPublished FROM edition WHERE edition.course = node.course) IS NOT 1)
JOIN placeTotal ON placeTotal.node = placeProgress.node;
