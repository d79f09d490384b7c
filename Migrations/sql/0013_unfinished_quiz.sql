-- A quiz that was left in the middle goes on where it was, tomorrow too: a fact of its own, in no log. What was answered to
-- the end is in the log of things done, and has no row here.

CREATE TABLE unfinishedQuiz (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  questions TEXT NOT NULL CHECK (questions <> ''),  -- a fingerprint of what is asked: answers to other questions are none
  answers TEXT NOT NULL CHECK (json_valid(answers)),  -- for each question the numbers of the choices taken, from 0
  question INTEGER NOT NULL CHECK (question >= 0),  -- the one that is asked
  isChecked INTEGER NOT NULL CHECK (isChecked IN (0, 1)),
  savedAt INTEGER NOT NULL,
  PRIMARY KEY (learner, node)
) STRICT, WITHOUT ROWID;
