-- Server: access tokens, answers to repeatable requests, and the audit of reads.

-- A token is identified by its SHA-256 digest in hexadecimal digits. The token itself is not stored.
CREATE TABLE accessToken (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  digest TEXT NOT NULL UNIQUE CHECK (length(digest) = 64),
  -- A name, because a token can be created before its learner.
  learner TEXT NOT NULL CHECK (trim(learner) = learner AND learner <> ''),
  scope TEXT NOT NULL CHECK (scope IN ('learner', 'teacher', 'admin')),
  createdAt INTEGER NOT NULL,
  expiresAt INTEGER,
  revokedAt INTEGER
) STRICT;

CREATE INDEX accessTokenOfLearner ON accessToken (learner);

-- The answer to a request with an Idempotency-Key, stored in the transaction of the request.
CREATE TABLE answeredRequest (
  token INTEGER NOT NULL REFERENCES accessToken (id),
  key TEXT NOT NULL CHECK (key <> ''),
  -- The SHA-256 digest of the request.
  request TEXT NOT NULL CHECK (length(request) = 64),
  answer TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (token, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX answeredRequestByTime ON answeredRequest (at);

-- Each read of other learners' data. `learner` is NULL for a read of all learners.
CREATE TABLE learnerAudit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  token INTEGER NOT NULL,
  reader TEXT NOT NULL,
  learner TEXT,
  request TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX learnerAuditOfLearner ON learnerAudit (learner);

-- Has a row while erased data remains in free pages of the file.
CREATE TABLE pendingSweep (
  id INTEGER PRIMARY KEY CHECK (id = 1)
) STRICT;

-- Classes and their learners, for the reports of a server.
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
