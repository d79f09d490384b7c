-- What much of a course is to become is written beside what it is, in small pieces, and becomes true for everybody when
-- one row says so. Until then nobody sees anything of it; from then on what was written beside counts, while it takes the
-- place of what was there before, in small pieces again.
--
-- An import that was killed leaves an edition: whoever imports next, or opens the database, takes it away where it was
-- not published, and finishes it where it was.

-- The courses of which an edition is on its way. Whoever brings it holds a file locked that is named after the course.
CREATE TABLE edition (
  course INTEGER PRIMARY KEY REFERENCES course (node),
  isPublished INTEGER NOT NULL DEFAULT 0 CHECK (isPublished IN (0, 1)),
  -- The ids from which and up to which nodes of the course may have something of it.
  nextNode INTEGER NOT NULL,
  lastNode INTEGER NOT NULL,
  CHECK (nextNode <= lastNode)
) STRICT;

CREATE TRIGGER editionStays BEFORE UPDATE ON edition
WHEN NEW.course <> OLD.course OR NEW.isPublished < OLD.isPublished
BEGIN
  SELECT RAISE(ABORT, 'what is published stays so');
END;

-- What a node will say of itself; where nextTitle is null, what it says now.
ALTER TABLE contentNode ADD COLUMN nextTitle TEXT CHECK (nextTitle <> '');
ALTER TABLE contentNode ADD COLUMN nextSummary TEXT;
ALTER TABLE contentNode ADD COLUMN nextMinutes INTEGER CHECK (nextMinutes > 0);

-- What an activity will be made of.
CREATE TABLE nextContent (
  node INTEGER PRIMARY KEY REFERENCES contentNode (id),
  course INTEGER NOT NULL REFERENCES edition (course),
  type TEXT NOT NULL CHECK (type IN ('reading', 'flashcards', 'quiz', 'link')),
  content TEXT NOT NULL CHECK (json_valid(content)),
  letters INTEGER NOT NULL CHECK (letters >= 0)
) STRICT;

-- What every activity is made of, as it counts now.
CREATE VIEW currentContent AS
SELECT node, type, content, letters FROM nextContent AS next
WHERE (SELECT isPublished FROM edition WHERE edition.course = next.course)
UNION ALL
SELECT node, type, content, letters FROM activityContent AS kept
WHERE NOT EXISTS (
  SELECT 1 FROM nextContent AS next
  WHERE next.node = kept.node AND (SELECT isPublished FROM edition WHERE edition.course = next.course));

-- The views for everyone, with what counts now.

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
  node.removedInRevision
FROM contentNode AS node
WHERE node.course NOT IN (SELECT course FROM arrival);

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
      SELECT parent, slug FROM contentNode WHERE id = event.toNode
      UNION ALL
      SELECT parent, slug || '/' || path FROM above JOIN contentNode ON id = node
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
JOIN placeTotal ON placeTotal.node = placeProgress.node;
