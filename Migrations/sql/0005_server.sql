-- What a server on this database knows beside its learners: who may ask, what was answered, and who looked at others.

-- A token is named by its digest: SHA-256, in hexadecimal digits. The token itself is kept nowhere.
CREATE TABLE accessToken (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  digest TEXT NOT NULL UNIQUE CHECK (length(digest) = 64),
  -- By name: whoever has a token may not have been here yet.
  learner TEXT NOT NULL CHECK (trim(learner) = learner AND learner <> ''),
  scope TEXT NOT NULL CHECK (scope IN ('learner', 'teacher', 'admin')),
  createdAt INTEGER NOT NULL,
  expiresAt INTEGER,
  revokedAt INTEGER
) STRICT;

CREATE INDEX accessTokenOfLearner ON accessToken (learner);

-- What a request with an Idempotency-Key was answered, in the transaction in which it was obeyed.
CREATE TABLE answeredRequest (
  token INTEGER NOT NULL REFERENCES accessToken (id),
  key TEXT NOT NULL CHECK (key <> ''),
  -- SHA-256 of what was asked for.
  request TEXT NOT NULL CHECK (length(request) = 64),
  answer TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (token, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX answeredRequestByTime ON answeredRequest (at);

-- Every time that somebody was shown what others did. Without a learner it was everyone.
CREATE TABLE learnerAudit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  token INTEGER NOT NULL,
  reader TEXT NOT NULL,
  learner TEXT,
  request TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX learnerAuditOfLearner ON learnerAudit (learner);

-- While it has a row, something was erased whose shadows are still in the file.
CREATE TABLE pendingSweep (
  id INTEGER PRIMARY KEY CHECK (id = 1)
) STRICT;
