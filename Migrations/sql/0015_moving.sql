-- Whatever of a course stands elsewhere in its next edition is written beforehand too, and stands there from one moment on.
--
-- Where a node will stand is written beside where it stands, in pieces of which nobody sees anything. One row publishes it
-- with the rest of the edition: from then on what was written beside counts, and whoever asks asks the views below instead
-- of the table. Afterwards each node is put there in pieces, by whoever began it, or by the next who comes.

-- The place that a node will have, or will come to; where nextParent is null, the one that it has.
ALTER TABLE contentNode ADD COLUMN nextParent INTEGER;
ALTER TABLE contentNode ADD COLUMN nextPosition INTEGER CHECK (nextPosition >= 0);
ALTER TABLE contentNode ADD COLUMN nextSlug TEXT CHECK (nextSlug <> '' AND instr(nextSlug, '/') = 0);
CREATE UNIQUE INDEX contentNodeNextPosition ON contentNode (nextParent, nextPosition) WHERE nextParent IS NOT NULL;
CREATE UNIQUE INDEX contentNodeNextSlug ON contentNode (nextParent, nextSlug) WHERE nextParent IS NOT NULL;

-- Whether nodes are still to be put where they stand, or taken from where they stood: then the views are asked.
ALTER TABLE edition ADD COLUMN moves INTEGER NOT NULL DEFAULT 0 CHECK (moves IN (0, 1));

-- Every node where it stands now: for whoever finds nodes by their id.
CREATE VIEW standingNode AS
SELECT
  node.id, node.course,
  CASE WHEN node.nextParent IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course)
    THEN node.nextParent ELSE node.parent END AS parent,
  node.key, node.kind,
  CASE WHEN node.nextParent IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course)
    THEN node.nextPosition ELSE node.position END AS position,
  CASE WHEN node.nextParent IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course)
    THEN node.nextSlug ELSE node.slug END AS slug,
  node.title, node.summary, node.minutes,
  CASE
    WHEN node.nextParent IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course) THEN NULL
    WHEN node.goesIn IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course)
      THEN node.goesIn
    ELSE node.removedInRevision END AS removedInRevision,
  CASE
    WHEN node.nextParent IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course) THEN 1
    WHEN node.goesIn IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course) THEN NULL
    ELSE node.living END AS living,
  node.nextTitle, node.nextSummary, node.nextMinutes, node.goesIn, node.goneSince
FROM contentNode AS node;

-- The same for whoever finds nodes by what they stand in: each half of it has its index.
CREATE VIEW standingChild AS
SELECT
  node.id, node.course, node.parent, node.key, node.kind, node.position, node.slug, node.title, node.summary,
  node.minutes,
  CASE WHEN node.goesIn IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course)
    THEN node.goesIn ELSE node.removedInRevision END AS removedInRevision,
  CASE WHEN node.goesIn IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course)
    THEN NULL ELSE node.living END AS living,
  node.nextTitle, node.nextSummary, node.nextMinutes, node.goesIn, node.goneSince
FROM contentNode AS node
WHERE node.nextParent IS NULL OR (SELECT isPublished FROM edition WHERE edition.course = node.course) IS NOT 1
UNION ALL
SELECT
  node.id, node.course, node.nextParent, node.key, node.kind, node.nextPosition, node.nextSlug, node.title,
  node.summary, node.minutes, NULL, 1, node.nextTitle, node.nextSummary, node.nextMinutes, node.goesIn, node.goneSince
FROM contentNode AS node
WHERE node.nextParent IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course) = 1;

DROP TRIGGER stackEntryFollows;
CREATE TRIGGER stackEntryFollows BEFORE INSERT ON stackEntry BEGIN
  SELECT RAISE(ABORT, 'stackEntry: the stack is not a chain of parents')
  WHERE (SELECT parent FROM standingNode WHERE id = NEW.node)
    IS NOT (SELECT node FROM stackEntry WHERE session = NEW.session AND depth = NEW.depth - 1);
END;

-- The nodes of courses that are there, living and removed ones, as they count now: for whoever looks at all nodes at once
-- instead of walking down to them.
DROP VIEW arrivedNode;
CREATE VIEW arrivedNode AS
SELECT
  node.id, node.course, node.parent, node.key, node.kind, node.position, node.slug, node.title, node.summary,
  node.minutes,
  CASE
    WHEN node.goneSince IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course) IS NOT 1
      THEN node.goneSince
    ELSE node.removedInRevision END AS removedInRevision,
  CASE
    WHEN node.goneSince IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course) IS NOT 1
      THEN NULL
    ELSE node.living END AS living,
  node.nextTitle, node.nextSummary, node.nextMinutes, node.goesIn, node.goneSince
FROM standingNode AS node
WHERE node.course NOT IN (SELECT course FROM arrival)
  AND (node.goneSince IS NOT 0 OR (SELECT isPublished FROM edition WHERE edition.course = node.course));

-- Those of which something is written already, and that do not count yet.
DROP VIEW comingNode;
CREATE VIEW comingNode AS
SELECT node.id, node.course FROM contentNode AS node
WHERE (node.goneSince IS NOT NULL OR node.nextParent IS NOT NULL AND node.removedInRevision IS NOT NULL)
  AND (SELECT isPublished FROM edition WHERE edition.course = node.course) IS NOT 1;

-- The views for everyone, with everybody where they stand now.

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
      SELECT next.parent, next.slug || '/' || above.path FROM above JOIN standingNode AS next ON next.id = above.parent
    )
    SELECT path FROM above WHERE parent IS NULL
  ) AS path,
  node.removedInRevision
FROM arrivedNode AS node;

DROP VIEW visit;
CREATE VIEW visit AS
SELECT
  event.id AS id,
  learner.name AS learner,
  event.session AS session,
  event.sequence AS sequence,
  event.operation AS operation,
  event.returnsTo IS NOT NULL AS traversal,
  event.transition AS transition,
  event.cause AS cause,
  event.toKind AS kind,
  coalesce((
    WITH RECURSIVE above (node, path) AS (
      SELECT parent, slug FROM standingNode WHERE id = event.toNode
      UNION ALL
      SELECT parent, slug || '/' || path FROM above JOIN standingNode ON id = node
    )
    SELECT path FROM above WHERE node IS NULL), '/') AS path,
  coalesce(
    CASE WHEN place.nextTitle IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = place.course)
      THEN place.nextTitle ELSE place.title END,
    'Courses') AS title,
  strftime('%Y-%m-%dT%H:%M:%fZ', event.at / 1000.0, 'unixepoch') AS at,
  strftime('%Y-%m-%dT%H:%M:%fZ', event.leftAt / 1000.0, 'unixepoch') AS leftAt,
  event.leftAt - event.at AS dwellMs,
  event.activeMs AS activeMs
FROM navigationEvent AS event
JOIN learner ON learner.id = event.learner
LEFT JOIN contentNode AS place ON place.id = event.toNode;

DROP VIEW learnerProgress;
CREATE VIEW learnerProgress AS
SELECT
  learner.name AS learner,
  (
    WITH RECURSIVE above (node, path) AS (
      SELECT parent, slug FROM standingNode WHERE id = placeProgress.node
      UNION ALL
      SELECT parent, slug || '/' || path FROM above JOIN standingNode ON id = node
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
JOIN standingNode AS node ON node.id = placeProgress.node AND node.removedInRevision IS NULL
JOIN placeTotal ON placeTotal.node = placeProgress.node;
