-- The answers in the order of their times, which differs from that of the rows after a sync: of a learner, and of all.
CREATE INDEX activityEventAnswered ON activityEvent (learner, orderedAt) WHERE kind IN ('cardGraded', 'quizChecked');
CREATE INDEX activityEventAnsweredByAll ON activityEvent (orderedAt) WHERE kind IN ('cardGraded', 'quizChecked');
