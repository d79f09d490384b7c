-- Who learns together, as a server's reports ask.

CREATE TABLE class (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE CHECK (trim(name) = name AND name <> ''),
  createdAt INTEGER NOT NULL
) STRICT;

CREATE TABLE member (
  class INTEGER NOT NULL REFERENCES class (id),
  learner INTEGER NOT NULL REFERENCES learner (id),
  joinedAt INTEGER NOT NULL,
  PRIMARY KEY (class, learner)
) STRICT, WITHOUT ROWID;

CREATE INDEX memberByLearner ON member (learner);
