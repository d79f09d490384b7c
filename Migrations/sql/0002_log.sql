-- Who learns, where they were, and what they did: the two logs, and what is worked out from them.
--
-- Times are milliseconds since 1970-01-01T00:00:00Z. A place is a node of contentNode, or the root (kind 'root', node NULL).

-- `uuid` is who somebody is in every database; `name` is what they are called in this one.
CREATE TABLE learner (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36) DEFAULT (
    lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-'
      || substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))),
  name TEXT NOT NULL UNIQUE CHECK (trim(name) = name AND name <> ''),
  createdAt INTEGER NOT NULL
) STRICT;

-- One sitting of one learner in one front end. `lockFile` names the file that the front end's process holds locked while
-- it lives; a sitting without one has no process, and there is at most one of a name open.
CREATE TABLE session (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
  learner INTEGER NOT NULL REFERENCES learner (id),
  name TEXT NOT NULL CHECK (name <> ''),
  timeZone TEXT NOT NULL CHECK (timeZone <> ''),
  lockFile TEXT UNIQUE,
  startedAt INTEGER NOT NULL,
  lastInputAt INTEGER NOT NULL CHECK (lastInputAt >= startedAt),
  -- How long the learner was present in the visit that is not over yet, up to lastInputAt.
  activeMs INTEGER NOT NULL DEFAULT 0 CHECK (activeMs >= 0),
  endedAt INTEGER CHECK (endedAt >= startedAt),
  -- Whether it was begun in another database.
  begunElsewhere INTEGER NOT NULL DEFAULT 0 CHECK (begunElsewhere IN (0, 1)),
  -- Whether it was still open in the database that it came from, in a learner's file. Here it ends with its last input, so
  -- that it reads; how long its last visit lasted is known when the rest of it comes.
  openElsewhere INTEGER NOT NULL DEFAULT 0 CHECK (openElsewhere IN (0, 1)),
  -- Of a session that holds what a copy of this database did with another one: that session, and the last step of it that
  -- both did.
  forkOf TEXT CHECK (length(forkOf) = 36),
  forkAfter INTEGER CHECK (forkAfter >= 1),
  UNIQUE (id, learner)
) STRICT;

CREATE INDEX sessionOfLearner ON session (learner, id);
CREATE INDEX sessionOpen ON session (id) WHERE endedAt IS NULL;
CREATE UNIQUE INDEX sessionOpenByName ON session (learner, name) WHERE endedAt IS NULL AND lockFile IS NULL;

-- Erasing a learner is the one way in which the logs lose rows: while their name stands here, inside one transaction.
CREATE TABLE erasure (
  learner INTEGER PRIMARY KEY REFERENCES learner (id)
) STRICT;

-- While a learner's name stands here, inside one transaction, what they did in another database is written down: in places
-- that were activities then and there, whatever they are here and now; behind what is known of a session, which may have
-- ended; or in a session of its own, where two databases went on with one.
CREATE TABLE merging (
  learner INTEGER PRIMARY KEY REFERENCES learner (id)
) STRICT;

-- What was erased, so that it does not come back from a database that still has it: learners; of sessions the first step
-- and the first thing done that are gone, with all that followed them; and spans of time, of which positions, unfinished
-- quizzes and read passages are gone.
CREATE TABLE erasedLearner (
  uuid TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE erasedFrom (
  session TEXT PRIMARY KEY,
  learner INTEGER NOT NULL REFERENCES learner (id),
  step INTEGER NOT NULL CHECK (step >= 1),
  act INTEGER NOT NULL CHECK (act >= 1)
) STRICT, WITHOUT ROWID;

CREATE TABLE erasedSpan (
  learner INTEGER NOT NULL REFERENCES learner (id),
  since INTEGER NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (learner, since, until)
) STRICT, WITHOUT ROWID;

-- The first log. A row is a step, and the visit of the place it led to.
CREATE TABLE navigationEvent (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
  learner INTEGER NOT NULL,
  session INTEGER NOT NULL,
  -- The step's number in its session, from 1 without holes.
  sequence INTEGER NOT NULL CHECK (sequence >= 1),
  operation TEXT NOT NULL CHECK (operation IN (
    'push', 'pop', 'popTo', 'popToRoot', 'select', 'next', 'previous', 'open', 'back', 'forward', 'resume', 'repair')),
  -- Of a traversal (back, forward): the sequence of the visit that it returns to.
  returnsTo INTEGER CHECK (returnsTo < sequence),
  transition TEXT CHECK (transition IN (
    'courseCard', 'goalCard', 'lessonCard', 'activityCard', 'siblingSlide', 'crossFade')),
  direction TEXT CHECK (direction IN ('down', 'up', 'left', 'right')),
  reason TEXT CHECK (reason IN ('matched', 'noMatch')),
  movingNode INTEGER REFERENCES contentNode (id),
  animated INTEGER NOT NULL CHECK (animated IN (0, 1)),
  cause TEXT NOT NULL CHECK (cause IN ('key', 'mouse', 'search', 'bookmark', 'link', 'shell', 'api', 'system')),
  fromKind TEXT CHECK (fromKind IN ('root', 'course', 'goal', 'lesson', 'activity')),
  fromNode INTEGER REFERENCES contentNode (id),
  toKind TEXT NOT NULL CHECK (toKind IN ('root', 'course', 'goal', 'lesson', 'activity')),
  toNode INTEGER REFERENCES contentNode (id),
  -- The nodes from the course down to toNode, after the step: a JSON array of ids. The root, below them all, is left out.
  stack TEXT NOT NULL CHECK (json_valid(stack) AND json_type(stack) = 'array'),
  at INTEGER NOT NULL,
  -- The latest `at` of this learner up to here. It never falls, whatever clocks do, so that a time is found by halving.
  clock INTEGER NOT NULL CHECK (clock >= at),
  leftAt INTEGER CHECK (leftAt >= at),
  activeMs INTEGER CHECK (activeMs BETWEEN 0 AND leftAt - at),
  -- The revision of the course at that time.
  courseRevision INTEGER CHECK (courseRevision >= 1),
  UNIQUE (session, sequence),
  FOREIGN KEY (session, learner) REFERENCES session (id, learner),
  FOREIGN KEY (session, returnsTo) REFERENCES navigationEvent (session, sequence),
  -- The visit that a traversal returned to may be in the session that this one was parted from.
  CHECK (returnsTo IS NULL OR operation IN ('back', 'forward')),
  CHECK ((sequence = 1) = (fromKind IS NULL)),
  CHECK (CASE WHEN fromKind IS NULL THEN fromNode IS NULL ELSE (fromKind = 'root') = (fromNode IS NULL) END),
  CHECK ((toKind = 'root') = (toNode IS NULL)),
  CHECK ((transition IS NULL) = (fromKind IS NULL) AND (reason IS NULL) = (transition IS NULL)),
  CHECK ((direction IS NULL) = (coalesce(transition, 'crossFade') = 'crossFade')),
  CHECK ((movingNode IS NULL) = (direction IS NULL)),
  CHECK ((reason = 'noMatch') = (transition = 'crossFade')),
  CHECK ((leftAt IS NULL) = (activeMs IS NULL))
) STRICT;

-- Every index ends in the row's id, so each filter of the history walks newest first from wherever a page ended.
CREATE INDEX navigationEventOfLearner ON navigationEvent (learner);
CREATE INDEX navigationEventOfSession ON navigationEvent (session);
CREATE INDEX navigationEventByOperation ON navigationEvent (learner, operation);
CREATE INDEX navigationEventByKind ON navigationEvent (learner, toKind);
CREATE INDEX navigationEventByTransition ON navigationEvent (learner, transition);
CREATE INDEX navigationEventByCause ON navigationEvent (learner, cause);
CREATE INDEX navigationEventByClock ON navigationEvent (learner, clock);
CREATE INDEX navigationEventLate ON navigationEvent (learner, at) WHERE at < clock;
CREATE INDEX navigationEventByPlace ON navigationEvent (toNode);

CREATE TRIGGER navigationEventFollows BEFORE INSERT ON navigationEvent BEGIN
  -- INSERT OR REPLACE would delete without asking the trigger below.
  SELECT RAISE(ABORT, 'navigationEvent: what happened does not change')
  WHERE EXISTS (SELECT 1 FROM navigationEvent WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM navigationEvent WHERE uuid = NEW.uuid);
  SELECT RAISE(ABORT, 'navigationEvent: the session is not the learner''s')
  WHERE (SELECT learner FROM session WHERE id = NEW.session) IS NOT NEW.learner;
  SELECT RAISE(ABORT, 'navigationEvent: the session has ended')
  WHERE (SELECT endedAt FROM session WHERE id = NEW.session) IS NOT NULL;
  SELECT RAISE(ABORT, 'navigationEvent: the sequence has a hole')
  WHERE NEW.sequence <> 1 + coalesce((SELECT max(sequence) FROM navigationEvent WHERE session = NEW.session), 0);
  SELECT RAISE(ABORT, 'navigationEvent: the step does not begin where the last one ended')
  FROM navigationEvent AS last
  WHERE last.session = NEW.session AND last.sequence = NEW.sequence - 1
    AND NOT (last.toNode IS NEW.fromNode AND last.toKind IS NEW.fromKind);
  SELECT RAISE(ABORT, 'navigationEvent: the place before was not left')
  FROM navigationEvent AS last
  WHERE last.session = NEW.session AND last.sequence = NEW.sequence - 1 AND last.leftAt IS NULL;
  SELECT RAISE(ABORT, 'navigationEvent: a traversal does not say which visit it returns to')
  WHERE NEW.returnsTo IS NULL AND NEW.operation IN ('back', 'forward')
    AND NOT EXISTS (SELECT 1 FROM merging WHERE learner = NEW.learner);
  SELECT RAISE(ABORT, 'navigationEvent: the visit returned to was of another place')
  FROM navigationEvent AS visit
  WHERE visit.session = NEW.session AND visit.sequence = NEW.returnsTo AND visit.toNode IS NOT NEW.toNode;
  SELECT RAISE(ABORT, 'navigationEvent: the stack does not end in the place')
  WHERE json_extract(NEW.stack, '$[#-1]') IS NOT NEW.toNode;
  SELECT RAISE(ABORT, 'navigationEvent: the stack names a node that does not exist')
  FROM json_each(NEW.stack) WHERE NOT EXISTS (SELECT 1 FROM contentNode WHERE id = value);
  SELECT RAISE(ABORT, 'navigationEvent: clock is not the latest time of the learner')
  WHERE NEW.clock <> max(NEW.at, coalesce((
    SELECT clock FROM navigationEvent WHERE learner = NEW.learner ORDER BY id DESC LIMIT 1), NEW.at));
END;

CREATE TRIGGER navigationEventStays BEFORE UPDATE ON navigationEvent
WHEN OLD.leftAt IS NOT NULL
  OR OLD.id IS NOT NEW.id OR OLD.uuid IS NOT NEW.uuid OR OLD.learner IS NOT NEW.learner
  OR OLD.session IS NOT NEW.session OR OLD.sequence IS NOT NEW.sequence OR OLD.operation IS NOT NEW.operation
  OR OLD.returnsTo IS NOT NEW.returnsTo OR OLD.transition IS NOT NEW.transition OR OLD.direction IS NOT NEW.direction
  OR OLD.reason IS NOT NEW.reason OR OLD.movingNode IS NOT NEW.movingNode OR OLD.animated IS NOT NEW.animated
  OR OLD.cause IS NOT NEW.cause OR OLD.fromKind IS NOT NEW.fromKind OR OLD.fromNode IS NOT NEW.fromNode
  OR OLD.toKind IS NOT NEW.toKind OR OLD.toNode IS NOT NEW.toNode OR OLD.stack IS NOT NEW.stack OR OLD.at IS NOT NEW.at
  OR OLD.clock IS NOT NEW.clock OR OLD.courseRevision IS NOT NEW.courseRevision
BEGIN
  SELECT RAISE(ABORT, 'navigationEvent: what happened does not change')
  WHERE NOT EXISTS (SELECT 1 FROM merging WHERE learner = OLD.learner);
END;

CREATE TRIGGER navigationEventIsKept BEFORE DELETE ON navigationEvent
WHEN NOT EXISTS (SELECT 1 FROM erasure WHERE learner = OLD.learner)
BEGIN
  SELECT RAISE(ABORT, 'navigationEvent: what happened is not forgotten');
END;

-- The second log: what was done in an activity.
CREATE TABLE activityEvent (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
  learner INTEGER NOT NULL,
  session INTEGER NOT NULL,
  -- Its number among the things done in its session, from 1 without holes.
  sequence INTEGER NOT NULL CHECK (sequence >= 1),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  kind TEXT NOT NULL CHECK (kind IN ('seenToEnd', 'markedDone', 'markedNotDone', 'quizChecked', 'cardGraded')),
  detail TEXT CHECK (detail IS NULL OR json_valid(detail)),
  score REAL CHECK (score BETWEEN 0 AND 1),
  at INTEGER NOT NULL,
  -- The latest `at` of its session up to here. By it, the session's uuid and the sequence things done are in the same order
  -- in every database.
  orderedAt INTEGER NOT NULL CHECK (orderedAt >= at),
  UNIQUE (session, sequence),
  FOREIGN KEY (session, learner) REFERENCES session (id, learner)
) STRICT;

CREATE INDEX activityEventOfLearner ON activityEvent (learner, node);
CREATE INDEX activityEventOfNode ON activityEvent (node);

CREATE TRIGGER activityEventFollows BEFORE INSERT ON activityEvent BEGIN
  SELECT RAISE(ABORT, 'activityEvent: what happened does not change')
  WHERE EXISTS (SELECT 1 FROM activityEvent WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM activityEvent WHERE uuid = NEW.uuid);
  SELECT RAISE(ABORT, 'activityEvent: the session is not the learner''s')
  WHERE (SELECT learner FROM session WHERE id = NEW.session) IS NOT NEW.learner;
  SELECT RAISE(ABORT, 'activityEvent: the session has ended')
  WHERE (SELECT endedAt FROM session WHERE id = NEW.session) IS NOT NULL;
  SELECT RAISE(ABORT, 'activityEvent: the sequence has a hole')
  WHERE NEW.sequence <> 1 + coalesce((SELECT max(sequence) FROM activityEvent WHERE session = NEW.session), 0);
  SELECT RAISE(ABORT, 'activityEvent: orderedAt is not the latest time of the session')
  WHERE NEW.orderedAt <> max(NEW.at, coalesce((
    SELECT orderedAt FROM activityEvent WHERE session = NEW.session ORDER BY sequence DESC LIMIT 1), NEW.at));
  SELECT RAISE(ABORT, 'activityEvent: the node is not an activity')
  WHERE (SELECT kind FROM contentNode WHERE id = NEW.node) IS NOT 'activity'
    AND NOT EXISTS (SELECT 1 FROM merging WHERE learner = NEW.learner);
END;

CREATE TRIGGER activityEventStays BEFORE UPDATE ON activityEvent BEGIN
  SELECT RAISE(ABORT, 'activityEvent: what happened does not change')
  WHERE NOT EXISTS (SELECT 1 FROM merging WHERE learner = OLD.learner);
END;

CREATE TRIGGER activityEventIsKept BEFORE DELETE ON activityEvent
WHEN NOT EXISTS (SELECT 1 FROM erasure WHERE learner = OLD.learner)
BEGIN
  SELECT RAISE(ABORT, 'activityEvent: what happened is not forgotten');
END;

CREATE TRIGGER sessionIsNew BEFORE INSERT ON session
WHEN EXISTS (SELECT 1 FROM session WHERE id = NEW.id) OR EXISTS (SELECT 1 FROM session WHERE uuid = NEW.uuid)
BEGIN
  SELECT RAISE(ABORT, 'session: what happened does not change');
END;

CREATE TRIGGER sessionStays BEFORE UPDATE ON session
WHEN OLD.endedAt IS NOT NULL OR OLD.id IS NOT NEW.id OR OLD.uuid IS NOT NEW.uuid OR OLD.learner IS NOT NEW.learner
  OR OLD.name IS NOT NEW.name OR OLD.timeZone IS NOT NEW.timeZone OR OLD.startedAt IS NOT NEW.startedAt
BEGIN
  SELECT RAISE(ABORT, 'session: what happened does not change')
  WHERE NOT EXISTS (SELECT 1 FROM merging WHERE learner = OLD.learner);
END;

CREATE TRIGGER sessionIsKept BEFORE DELETE ON session
WHEN NOT EXISTS (SELECT 1 FROM erasure WHERE learner = OLD.learner)
BEGIN
  SELECT RAISE(ABORT, 'session: what happened is not forgotten');
END;

-- No step comes before the place before was left, so it is enough to look at the last one.
CREATE TRIGGER sessionEndsWithItsVisit BEFORE UPDATE OF endedAt ON session
WHEN NEW.endedAt IS NOT NULL
  AND (SELECT leftAt IS NULL FROM navigationEvent WHERE session = NEW.id ORDER BY sequence DESC LIMIT 1)
BEGIN
  SELECT RAISE(ABORT, 'session: the last place was not left');
END;

-- Which steps were in sessions of a name, so that their history is a walk down one index, as every other filter's is. The
-- triggers keep it: a session keeps its name, and steps only come, or are erased.
CREATE TABLE visitNamed (
  learner INTEGER NOT NULL,
  name TEXT NOT NULL,
  event INTEGER NOT NULL,
  PRIMARY KEY (learner, name, event)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER navigationEventNamed AFTER INSERT ON navigationEvent BEGIN
  INSERT INTO visitNamed (learner, name, event)
  SELECT NEW.learner, name, NEW.id FROM session WHERE id = NEW.session;
END;

CREATE TRIGGER navigationEventErased AFTER DELETE ON navigationEvent BEGIN
  DELETE FROM visitNamed
  WHERE learner = OLD.learner AND name = (SELECT name FROM session WHERE id = OLD.session) AND event = OLD.id;
END;

-- Projections: everything from here to the next heading can be thrown away and worked out again from the two logs.

-- Where a session is: its stack, without the root. Each node is the parent of the next.
CREATE TABLE stackEntry (
  session INTEGER NOT NULL REFERENCES session (id),
  depth INTEGER NOT NULL CHECK (depth >= 1),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  PRIMARY KEY (session, depth)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER stackEntryFollows BEFORE INSERT ON stackEntry BEGIN
  SELECT RAISE(ABORT, 'stackEntry: the stack is not a chain of parents')
  WHERE (SELECT parent FROM contentNode WHERE id = NEW.node)
    IS NOT (SELECT node FROM stackEntry WHERE session = NEW.session AND depth = NEW.depth - 1);
END;

CREATE TRIGGER stackEntryStays BEFORE UPDATE ON stackEntry BEGIN
  SELECT RAISE(ABORT, 'stackEntry: entries are put on and taken off, not changed');
END;

-- The visits that back and forward move along; what a fresh step dropped is not among them.
CREATE TABLE visitEntry (
  session INTEGER NOT NULL,
  position INTEGER NOT NULL CHECK (position >= 0),
  sequence INTEGER NOT NULL,
  PRIMARY KEY (session, position),
  FOREIGN KEY (session, sequence) REFERENCES navigationEvent (session, sequence)
) STRICT, WITHOUT ROWID;

-- Which visits were in a subtree: one row for each node of the event's stack, as the tree is today.
CREATE TABLE visitUnder (
  learner INTEGER NOT NULL,
  node INTEGER NOT NULL,
  event INTEGER NOT NULL REFERENCES navigationEvent (id),
  PRIMARY KEY (learner, node, event)
) STRICT, WITHOUT ROWID;

CREATE INDEX visitUnderOfEvent ON visitUnder (event);

-- How much a place is used: the logarithm of a sum of visits, each worth half as much a week later.
CREATE TABLE placeScore (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  score REAL NOT NULL,
  lastVisitAt INTEGER NOT NULL,
  visits INTEGER NOT NULL CHECK (visits >= 1),
  PRIMARY KEY (learner, node)
) STRICT, WITHOUT ROWID;

CREATE INDEX placeScoreInOrder ON placeScore (learner, score DESC);

-- What a learner has done of an activity. A row says that it was begun.
CREATE TABLE progress (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  begunAt INTEGER NOT NULL,
  doneAt INTEGER,
  PRIMARY KEY (node, learner)
) STRICT, WITHOUT ROWID;

CREATE INDEX progressUnfinished ON progress (learner, node) WHERE doneAt IS NULL;

-- How much there is to do at a place: its living activities, and the seconds they take.
CREATE TABLE placeTotal (
  node INTEGER PRIMARY KEY REFERENCES contentNode (id),
  activities INTEGER NOT NULL CHECK (activities >= 0),
  seconds INTEGER NOT NULL CHECK (seconds >= 0)
) STRICT;

-- How much of that a learner has begun and done, at the places above what they have begun. An activity's own is in progress.
CREATE TABLE placeProgress (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  begun INTEGER NOT NULL CHECK (begun >= 0),
  done INTEGER NOT NULL CHECK (done BETWEEN 0 AND begun),
  secondsDone INTEGER NOT NULL CHECK (secondsDone >= 0),
  PRIMARY KEY (node, learner)
) STRICT, WITHOUT ROWID;

-- Facts of their own, in no log.

CREATE TABLE bookmark (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  createdAt INTEGER NOT NULL,
  PRIMARY KEY (learner, node)
) STRICT, WITHOUT ROWID;

-- How far a text was read: the first block in view, the share of it above the first line in view, the share of the text
-- that was seen, and the heading.
CREATE TABLE readingPosition (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  block INTEGER NOT NULL CHECK (block >= 0),
  blockOffset REAL NOT NULL CHECK (blockOffset BETWEEN 0 AND 1),
  fraction REAL NOT NULL CHECK (fraction BETWEEN 0 AND 1),
  heading TEXT,
  savedAt INTEGER NOT NULL,
  PRIMARY KEY (learner, node)
) STRICT, WITHOUT ROWID;

-- A quiz that was left in the middle. What was answered to the end is in the log of things done, and has no row here.
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

-- What was read of a text: a fact of its own, in no log. A row is a passage (a block, told by its words) of which some
-- characters were in view for long enough; it stays when the text loses that passage, and counts again when it returns.
CREATE TABLE passageRead (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  digest TEXT NOT NULL CHECK (length(digest) = 16),
  characters TEXT NOT NULL CHECK (characters <> ''),  -- ranges from and up to, in order: '0-120 130-140'
  savedAt INTEGER NOT NULL,
  PRIMARY KEY (learner, node, digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE learnerSetting (
  learner INTEGER NOT NULL REFERENCES learner (id),
  name TEXT NOT NULL CHECK (name <> ''),
  value TEXT NOT NULL,
  PRIMARY KEY (learner, name)
) STRICT, WITHOUT ROWID;

-- When each of these facts was last changed, and in which database: of two changes the later one holds, wherever it was
-- made. Of a fact that was taken away this row is what is left. What was read of passages only grows, and needs none.
-- `stamp` is a hybrid logical time: milliseconds since 1970 × 65,536, plus a count within the millisecond.
CREATE TABLE factChange (
  learner INTEGER NOT NULL REFERENCES learner (id),
  kind TEXT NOT NULL CHECK (kind IN ('bookmark', 'position', 'quiz', 'setting')),
  node INTEGER NOT NULL,  -- 0 for a setting
  name TEXT NOT NULL,  -- '' but for a setting
  stamp INTEGER NOT NULL,
  replica TEXT NOT NULL,
  PRIMARY KEY (learner, kind, node, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX factChangeByStamp ON factChange (learner, stamp);

-- This database among those that a learner works in.
CREATE TABLE replica (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  uuid TEXT NOT NULL
) STRICT;

INSERT INTO replica (id, uuid) VALUES (1, lower(hex(randomblob(16))));

-- For everyone with the sqlite3 shell: documented in asking-in-sql.md, and stable.

-- One row a step: who went where, how, when and for how long.
CREATE VIEW visit AS
SELECT
  event.id AS id,
  learner.name AS learner,
  event.session AS session,
  event.sequence AS sequence,
  event.operation AS operation,
  event.operation IN ('back', 'forward') AS traversal,
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
  coalesce(place.title, 'Courses') AS title,
  strftime('%Y-%m-%dT%H:%M:%fZ', event.at / 1000.0, 'unixepoch') AS at,
  strftime('%Y-%m-%dT%H:%M:%fZ', event.leftAt / 1000.0, 'unixepoch') AS leftAt,
  event.leftAt - event.at AS dwellMs,
  event.activeMs AS activeMs
FROM navigationEvent AS event
JOIN learner ON learner.id = event.learner
LEFT JOIN contentNode AS place ON place.id = event.toNode;

-- One row for each learner and each living place that they have begun.
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
  SELECT learner, node, 1, doneAt IS NOT NULL FROM progress JOIN contentNode ON id = node WHERE kind = 'activity'
) AS sums
JOIN learner ON learner.id = sums.learner
JOIN contentNode ON contentNode.id = sums.node AND contentNode.removedInRevision IS NULL
JOIN placeTotal ON placeTotal.node = sums.node;
