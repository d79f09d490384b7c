-- Progress: opening an activity does not begin it. A row of `progress` exists for each activity that was opened or has
-- events, and `isBegun` is 1 if the activity was begun.

-- The activities that learners have begun: the position was moved beyond the start, a part of the content counts as read,
-- or something was answered or finished. An activity that is done because it was marked as done was begun too. Adding its
-- cards to the reviews, suspending a card, writing a note or undoing something begins nothing.
CREATE VIEW begunActivity AS
SELECT learner, node FROM readingPosition WHERE block > 0 OR blockOffset > 0 OR fraction > 0
UNION ALL
SELECT learner, node FROM activityEvent AS event
WHERE kind IN ('seenToEnd', 'quizChecked', 'cardScheduled')
  OR kind = 'cardGraded' AND NOT EXISTS (
    SELECT 1 FROM activityEvent AS undo INDEXED BY activityEventOfCard
    WHERE undo.learner = event.learner AND undo.node = event.node AND undo.kind GLOB 'card*'
      AND undo.detail ->> 'key' IS event.detail ->> 'key'
      AND undo.kind = 'cardUndone' AND undo.detail ->> 'event' = event.uuid);

ALTER TABLE progress ADD COLUMN isBegun INTEGER NOT NULL DEFAULT 0 CHECK (isBegun IN (0, 1));

UPDATE progress SET isBegun = 1
WHERE doneAt IS NOT NULL OR EXISTS (
  SELECT 1 FROM begunActivity AS begun WHERE begun.learner = progress.learner AND begun.node = progress.node);

DROP INDEX progressUnfinished;
CREATE INDEX progressUnfinished ON progress (learner, node) WHERE isBegun = 1 AND doneAt IS NULL;

DELETE FROM placeProgress;
INSERT INTO placeProgress (learner, node, begun, done, secondsDone)
WITH RECURSIVE sum (learner, node, isDone, seconds) AS (
  SELECT progress.learner, node.parent, progress.doneAt IS NOT NULL, placeTotal.seconds
  FROM progress
  JOIN contentNode AS node ON node.id = progress.node
  JOIN placeTotal ON placeTotal.node = progress.node
  WHERE progress.isBegun = 1 AND node.living = 1 AND node.kind = 'activity'
  UNION ALL
  SELECT sum.learner, above.parent, sum.isDone, sum.seconds
  FROM sum JOIN contentNode AS above ON above.id = sum.node WHERE above.parent IS NOT NULL
)
SELECT learner, node, count(*), sum(isDone), sum(isDone * seconds) FROM sum GROUP BY learner, node;

-- The activities whose cards a learner has added to the reviews before beginning their lessons.
CREATE INDEX activityEventIncluding ON activityEvent (learner, node, at) WHERE kind = 'cardsIncluded';

-- One row for each learner and each living place that the learner has begun.
CREATE VIEW learnerProgress AS
SELECT
  learner.name AS learner,
  (
    WITH RECURSIVE above (node, path) AS (
      SELECT parent, slug FROM contentNode WHERE id = sums.node
      UNION ALL
      SELECT parent, slug || '/' || path FROM above JOIN contentNode ON id = node
    )
    SELECT path FROM above WHERE node IS NULL) AS path,
  contentNode.kind AS kind,
  contentNode.title AS title,
  sums.begun AS begun,
  sums.done AS done,
  placeTotal.activities AS total
FROM (
  SELECT learner, node, begun, done FROM placeProgress
  UNION ALL
  SELECT learner, node, 1, doneAt IS NOT NULL FROM progress JOIN contentNode ON id = node
  WHERE kind = 'activity' AND isBegun = 1
) AS sums
JOIN learner ON learner.id = sums.learner
JOIN contentNode ON contentNode.id = sums.node AND contentNode.removedInRevision IS NULL
JOIN placeTotal ON placeTotal.node = sums.node;
