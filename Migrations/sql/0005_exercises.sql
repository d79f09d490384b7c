-- Exercises: their checks are answers, and begin an activity. The files of exercises are stored in the table `picture`.

DROP VIEW begunActivity;

-- As before, and also the activities whose files were checked.
CREATE VIEW begunActivity AS
SELECT learner, node FROM readingPosition WHERE block > 0 OR blockOffset > 0 OR fraction > 0
UNION ALL
SELECT learner, node FROM activityEvent AS event
WHERE kind IN ('seenToEnd', 'quizChecked', 'exerciseChecked', 'cardScheduled')
  OR kind = 'cardGraded' AND NOT EXISTS (
    SELECT 1 FROM activityEvent AS undo INDEXED BY activityEventOfCard
    WHERE undo.learner = event.learner AND undo.node = event.node AND undo.kind GLOB 'card*'
      AND undo.detail ->> 'key' IS event.detail ->> 'key'
      AND undo.kind = 'cardUndone' AND undo.detail ->> 'event' = event.uuid);

DROP INDEX activityEventAnsweredByAll;
CREATE INDEX activityEventAnsweredByAll ON activityEvent (orderedAt)
WHERE kind IN ('cardGraded', 'quizChecked', 'exerciseChecked');

-- The exercises, whose passed checks are counted for each place.
CREATE INDEX activityContentOfExercise ON activityContent (node) WHERE type = 'exercise';
