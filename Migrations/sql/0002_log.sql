-- Learners, their two logs (navigation and activity events), and the tables that are derived from the logs.
--
-- Times are milliseconds since 1970-01-01T00:00:00Z. A place is a node of contentNode, or the root (kind 'root', node NULL).
--
-- The checks of words accept unknown ones: a word of a later program is stored unchanged and passed on. Rules that combine
-- words hold for the known ones.

-- `uuid` identifies the learner in every database; `name` is the name in this one.
CREATE TABLE learner (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36) DEFAULT (
    lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-'
      || substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))),
  name TEXT NOT NULL UNIQUE CHECK (trim(name) = name AND name <> ''),
  createdAt INTEGER NOT NULL
) STRICT;

-- A session of a learner in a front end. The process of the front end holds a lock on `lockFile` while it runs. A session
-- without a lock file has no process; this database then has at most one open session of a learner with the same name.
CREATE TABLE session (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
  learner INTEGER NOT NULL REFERENCES learner (id),
  name TEXT NOT NULL CHECK (name <> ''),
  timeZone TEXT NOT NULL CHECK (timeZone <> ''),
  lockFile TEXT UNIQUE,
  startedAt INTEGER NOT NULL,
  lastInputAt INTEGER NOT NULL CHECK (lastInputAt >= startedAt),
  -- The learner's active time in the current visit, up to lastInputAt.
  activeMs INTEGER NOT NULL DEFAULT 0 CHECK (activeMs >= 0),
  endedAt INTEGER CHECK (endedAt >= startedAt),
  -- The database that began the session, its owner: see the table `replica`. Only the owner adds events to the session and ends
  -- it and its visits; the others merge what it wrote. A merged session has its UUID after a slash as `lockFile` until it ends, as
  -- several of one name can be open.
  replica TEXT NOT NULL CHECK (replica <> ''),
  UNIQUE (id, learner)
) STRICT;

CREATE INDEX sessionOfLearner ON session (learner, id);
CREATE INDEX sessionOpen ON session (id) WHERE endedAt IS NULL;
CREATE UNIQUE INDEX sessionOpenByName ON session (learner, name, replica) WHERE endedAt IS NULL AND lockFile IS NULL;

-- Rows of the logs are deleted only while their learner has a row here, in the transaction that erases them.
CREATE TABLE erasure (
  learner INTEGER PRIMARY KEY REFERENCES learner (id)
) STRICT;

-- The learner whose events of another database are being merged, inside one transaction. Sessions of other databases, their
-- events, and their unknown ends may then be added, also events at places that are no activities here. `split` is a session that
-- two databases have continued: its last events may be moved to another session, and its end may be unknown again.
CREATE TABLE merging (
  learner INTEGER PRIMARY KEY REFERENCES learner (id),
  split INTEGER REFERENCES session (id)
) STRICT;

-- Erased data, so that a merge with another database does not restore it: learners; for each session the first erased
-- navigation and activity event, after which everything is erased; and periods whose reading positions, unfinished quizzes
-- and read passages are erased.
CREATE TABLE erasedLearner (
  uuid TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE erasedFrom (
  session TEXT NOT NULL,
  learner INTEGER NOT NULL REFERENCES learner (id),
  step INTEGER NOT NULL CHECK (step >= 1),
  act INTEGER NOT NULL CHECK (act >= 1),
  PRIMARY KEY (session, learner)
) STRICT, WITHOUT ROWID;

CREATE TABLE erasedSpan (
  learner INTEGER NOT NULL REFERENCES learner (id),
  since INTEGER NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (learner, since, until)
) STRICT, WITHOUT ROWID;

-- The log of navigation events. A row is a step and the visit of its destination.
CREATE TABLE navigationEvent (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
  learner INTEGER NOT NULL,
  session INTEGER NOT NULL,
  -- The number of the step in its session: 1, 2, 3, … without gaps.
  sequence INTEGER NOT NULL CHECK (sequence >= 1),
  operation TEXT NOT NULL CHECK (operation GLOB '[a-z]*' AND length(operation) <= 40),
  -- For `back` and `forward`: the sequence of the visit to which the step returns.
  returnsTo INTEGER CHECK (returnsTo < sequence),
  transition TEXT CHECK (transition GLOB '[a-z]*' AND length(transition) <= 40),
  direction TEXT CHECK (direction GLOB '[a-z]*' AND length(direction) <= 40),
  reason TEXT CHECK (reason GLOB '[a-z]*' AND length(reason) <= 40),
  movingNode INTEGER REFERENCES contentNode (id),
  animated INTEGER NOT NULL CHECK (animated IN (0, 1)),
  cause TEXT NOT NULL CHECK (cause GLOB '[a-z]*' AND length(cause) <= 40),
  fromKind TEXT CHECK (fromKind GLOB '[a-z]*' AND length(fromKind) <= 40),
  fromNode INTEGER REFERENCES contentNode (id),
  toKind TEXT NOT NULL CHECK (toKind GLOB '[a-z]*' AND length(toKind) <= 40),
  toNode INTEGER REFERENCES contentNode (id),
  -- The stack after the step: a JSON array of the ids from the course to toNode, without the root.
  stack TEXT NOT NULL CHECK (json_valid(stack) AND json_type(stack) = 'array'),
  at INTEGER NOT NULL,
  -- The latest `at` of the learner so far. It never decreases, even if the system clock is put back, so an index seek finds a
  -- time.
  clock INTEGER NOT NULL,
  leftAt INTEGER CHECK (leftAt >= at),
  activeMs INTEGER CHECK (activeMs BETWEEN 0 AND leftAt - at),
  -- The revision of the course at the time of the step.
  courseRevision INTEGER CHECK (courseRevision >= 1),
  UNIQUE (session, sequence),
  FOREIGN KEY (session, learner) REFERENCES session (id, learner),
  FOREIGN KEY (session, returnsTo) REFERENCES navigationEvent (session, sequence),
  -- A traversal may return to a visit of the session from which its session was split off, and then has no returnsTo.
  CHECK (returnsTo IS NULL OR operation IN ('back', 'forward')),
  CHECK ((sequence = 1) = (fromKind IS NULL)),
  CHECK (fromNode IS NULL OR coalesce(fromKind, 'root') <> 'root'),
  CHECK (fromNode IS NOT NULL OR fromKind IS NULL OR fromKind NOT IN ('course', 'goal', 'lesson', 'activity')),
  CHECK (toNode IS NULL OR toKind <> 'root'),
  CHECK (toNode IS NOT NULL OR toKind NOT IN ('course', 'goal', 'lesson', 'activity')),
  CHECK ((transition IS NULL) = (fromKind IS NULL) AND (reason IS NULL) = (transition IS NULL)),
  CHECK (direction IS NULL OR coalesce(transition, 'crossFade') <> 'crossFade'),
  CHECK (direction IS NOT NULL OR transition IS NULL OR transition NOT IN (
    'courseCard', 'goalCard', 'lessonCard', 'activityCard', 'siblingSlide')),
  CHECK ((movingNode IS NULL) = (direction IS NULL) OR transition NOT IN (
    'courseCard', 'goalCard', 'lessonCard', 'activityCard', 'siblingSlide', 'crossFade')),
  CHECK ((reason = 'noMatch') = (transition = 'crossFade') OR reason NOT IN ('matched', 'noMatch')
    OR transition NOT IN ('courseCard', 'goalCard', 'lessonCard', 'activityCard', 'siblingSlide', 'crossFade')),
  CHECK ((leftAt IS NULL) = (activeMs IS NULL))
) STRICT;

-- Every index ends in the row's id, so each filter of the history is a walk in reverse order from the end of a page.
CREATE INDEX navigationEventOfLearner ON navigationEvent (learner);
CREATE INDEX navigationEventOfSession ON navigationEvent (session);
CREATE INDEX navigationEventByOperation ON navigationEvent (learner, operation);
CREATE INDEX navigationEventByKind ON navigationEvent (learner, toKind);
CREATE INDEX navigationEventByTransition ON navigationEvent (learner, transition);
CREATE INDEX navigationEventByCause ON navigationEvent (learner, cause);
CREATE INDEX navigationEventByClock ON navigationEvent (learner, clock);
CREATE INDEX navigationEventLate ON navigationEvent (learner, at) WHERE at < clock;
-- `clock` follows a time in the future, reported by another computer, by at most five minutes. `at` is the reported time.
CREATE INDEX navigationEventAhead ON navigationEvent (learner, at) WHERE at > clock;
CREATE INDEX navigationEventByTime ON navigationEvent (learner, at);
CREATE INDEX navigationEventByPlace ON navigationEvent (toNode);

CREATE TRIGGER navigationEventFollows BEFORE INSERT ON navigationEvent BEGIN
  -- INSERT OR REPLACE does not fire the delete trigger below.
  SELECT RAISE(ABORT, 'navigationEvent: a recorded value never changes')
  WHERE EXISTS (SELECT 1 FROM navigationEvent WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM navigationEvent WHERE uuid = NEW.uuid);
  SELECT RAISE(ABORT, 'navigationEvent: the session is not the learner''s')
  WHERE (SELECT learner FROM session WHERE id = NEW.session) IS NOT NEW.learner;
  SELECT RAISE(ABORT, 'navigationEvent: the session has ended')
  WHERE (SELECT endedAt FROM session WHERE id = NEW.session) IS NOT NULL;
  SELECT RAISE(ABORT, 'navigationEvent: the session belongs to another database')
  WHERE (SELECT replica FROM session WHERE id = NEW.session) <> (SELECT uuid FROM replica)
    AND NOT EXISTS (SELECT 1 FROM merging WHERE learner = NEW.learner);
  SELECT RAISE(ABORT, 'navigationEvent: the sequence has a gap')
  WHERE NEW.sequence <> 1 + coalesce((SELECT max(sequence) FROM navigationEvent WHERE session = NEW.session), 0);
  SELECT RAISE(ABORT, 'navigationEvent: the step does not begin where the last one ended')
  FROM navigationEvent AS last
  WHERE last.session = NEW.session AND last.sequence = NEW.sequence - 1
    AND NOT (last.toNode IS NEW.fromNode AND last.toKind IS NEW.fromKind);
  SELECT RAISE(ABORT, 'navigationEvent: the place before was not left')
  FROM navigationEvent AS last
  WHERE last.session = NEW.session AND last.sequence = NEW.sequence - 1 AND last.leftAt IS NULL;
  SELECT RAISE(ABORT, 'navigationEvent: a traversal does not name the visit that it returns to')
  WHERE NEW.returnsTo IS NULL AND NEW.operation IN ('back', 'forward')
    -- A session that was split off begins with a step that has the session's UUID.
    AND (SELECT uuid FROM navigationEvent WHERE session = NEW.session AND sequence = 1)
      IS NOT (SELECT uuid FROM session WHERE id = NEW.session);
  SELECT RAISE(ABORT, 'navigationEvent: the visit that it returns to was of another place')
  FROM navigationEvent AS visit
  WHERE visit.session = NEW.session AND visit.sequence = NEW.returnsTo AND visit.toNode IS NOT NEW.toNode;
  SELECT RAISE(ABORT, 'navigationEvent: the stack does not end in the place')
  WHERE json_extract(NEW.stack, '$[#-1]') IS NOT NEW.toNode;
  SELECT RAISE(ABORT, 'navigationEvent: the stack names a node that does not exist')
  FROM json_each(NEW.stack) WHERE NOT EXISTS (SELECT 1 FROM contentNode WHERE id = value);
  SELECT RAISE(ABORT, 'navigationEvent: clock is not the latest time of the learner')
  FROM (SELECT (SELECT clock FROM navigationEvent WHERE learner = NEW.learner ORDER BY id DESC LIMIT 1) AS before)
  WHERE NEW.clock <> max(NEW.at, coalesce(before, NEW.at))
    -- A merge compares with the current time, which a trigger does not know.
    AND NOT (NEW.clock < NEW.at AND NEW.clock >= coalesce(before, NEW.clock)
      AND EXISTS (SELECT 1 FROM merging WHERE learner = NEW.learner));
END;

CREATE TRIGGER navigationEventStays BEFORE UPDATE ON navigationEvent BEGIN
  SELECT RAISE(ABORT, 'navigationEvent: a recorded value never changes')
  WHERE OLD.id IS NOT NEW.id OR OLD.uuid IS NOT NEW.uuid OR OLD.learner IS NOT NEW.learner
    OR OLD.operation IS NOT NEW.operation OR OLD.transition IS NOT NEW.transition OR OLD.direction IS NOT NEW.direction
    OR OLD.reason IS NOT NEW.reason OR OLD.movingNode IS NOT NEW.movingNode OR OLD.animated IS NOT NEW.animated
    OR OLD.cause IS NOT NEW.cause OR OLD.fromKind IS NOT NEW.fromKind OR OLD.fromNode IS NOT NEW.fromNode
    OR OLD.toKind IS NOT NEW.toKind OR OLD.toNode IS NOT NEW.toNode OR OLD.stack IS NOT NEW.stack OR OLD.at IS NOT NEW.at
    OR OLD.clock IS NOT NEW.clock OR OLD.courseRevision IS NOT NEW.courseRevision
    OR OLD.leftAt <> NEW.leftAt OR OLD.activeMs <> NEW.activeMs
    OR (OLD.leftAt IS NOT NULL OR OLD.session IS NOT NEW.session OR OLD.sequence IS NOT NEW.sequence
        OR OLD.returnsTo IS NOT NEW.returnsTo)
      AND NOT EXISTS (SELECT 1 FROM merging WHERE split = OLD.session)
    OR (SELECT replica FROM session WHERE id = OLD.session) <> (SELECT uuid FROM replica)
      AND NOT EXISTS (SELECT 1 FROM merging WHERE learner = OLD.learner)
      AND NOT EXISTS (SELECT 1 FROM erasure WHERE learner = OLD.learner);
END;

CREATE TRIGGER navigationEventIsKept BEFORE DELETE ON navigationEvent
WHEN NOT EXISTS (SELECT 1 FROM erasure WHERE learner = OLD.learner)
BEGIN
  SELECT RAISE(ABORT, 'navigationEvent: only an erasure deletes it');
END;

-- The log of activity events, such as answers to a quiz.
CREATE TABLE activityEvent (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
  learner INTEGER NOT NULL,
  session INTEGER NOT NULL,
  -- The number of the event among the activity events of its session: 1, 2, 3, … without gaps.
  sequence INTEGER NOT NULL CHECK (sequence >= 1),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  kind TEXT NOT NULL CHECK (kind GLOB '[a-z]*' AND length(kind) <= 40),
  detail TEXT CHECK (detail IS NULL OR json_valid(detail)),
  score REAL CHECK (score BETWEEN 0 AND 1),
  at INTEGER NOT NULL,
  -- The place in the order of the learner's events: `at`, but later than all events that the database knew when it wrote this
  -- one. It is given once and never changes. Sorted by orderedAt, session UUID and sequence, events have the same order in
  -- every database. An answer that was imported from another program keeps its own time.
  orderedAt INTEGER NOT NULL CHECK (orderedAt BETWEEN 0 AND 9007199254740991),
  UNIQUE (session, sequence),
  FOREIGN KEY (session, learner) REFERENCES session (id, learner)
) STRICT;

CREATE INDEX activityEventOfLearner ON activityEvent (learner, node);
CREATE INDEX activityEventOfNode ON activityEvent (node);
-- The order of a learner's events. Its last entry determines the place of the next one.
CREATE INDEX activityEventInOrder ON activityEvent (learner, orderedAt);
CREATE INDEX activityEventAnsweredByAll ON activityEvent (orderedAt) WHERE kind IN ('cardGraded', 'quizChecked');

CREATE TRIGGER activityEventFollows BEFORE INSERT ON activityEvent BEGIN
  SELECT RAISE(ABORT, 'activityEvent: a recorded value never changes')
  WHERE EXISTS (SELECT 1 FROM activityEvent WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM activityEvent WHERE uuid = NEW.uuid);
  SELECT RAISE(ABORT, 'activityEvent: the session is not the learner''s')
  WHERE (SELECT learner FROM session WHERE id = NEW.session) IS NOT NEW.learner;
  SELECT RAISE(ABORT, 'activityEvent: the session has ended')
  WHERE (SELECT endedAt FROM session WHERE id = NEW.session) IS NOT NULL;
  SELECT RAISE(ABORT, 'activityEvent: the session belongs to another database')
  WHERE (SELECT replica FROM session WHERE id = NEW.session) <> (SELECT uuid FROM replica)
    AND NOT EXISTS (SELECT 1 FROM merging WHERE learner = NEW.learner);
  SELECT RAISE(ABORT, 'activityEvent: the sequence has a gap')
  WHERE NEW.sequence <> 1 + coalesce((SELECT max(sequence) FROM activityEvent WHERE session = NEW.session), 0);
  -- The clock of the system contributes at most the end of the year 9999.
  SELECT RAISE(ABORT, 'activityEvent: orderedAt does not follow the learner''s other events')
  FROM (SELECT max(0, min(NEW.at, 253402300799999)) AS own, (
    SELECT max(orderedAt) FROM activityEvent INDEXED BY activityEventInOrder WHERE learner = NEW.learner) AS last)
  WHERE NEW.orderedAt <> min(9007199254740991, max(own, 1 + coalesce(last, -1)))
    AND NOT (NEW.kind = 'cardGraded' AND NEW.orderedAt = own)
    AND NOT EXISTS (SELECT 1 FROM merging WHERE learner = NEW.learner);
  SELECT RAISE(ABORT, 'activityEvent: the node is not an activity')
  WHERE (SELECT kind FROM contentNode WHERE id = NEW.node) IS NOT 'activity'
    AND NOT EXISTS (SELECT 1 FROM merging WHERE learner = NEW.learner);
END;

CREATE TRIGGER activityEventStays BEFORE UPDATE ON activityEvent BEGIN
  SELECT RAISE(ABORT, 'activityEvent: a recorded value never changes')
  WHERE OLD.id IS NOT NEW.id OR OLD.uuid IS NOT NEW.uuid OR OLD.learner IS NOT NEW.learner OR OLD.node IS NOT NEW.node
    OR OLD.kind IS NOT NEW.kind OR OLD.detail IS NOT NEW.detail OR OLD.score IS NOT NEW.score OR OLD.at IS NOT NEW.at
    OR OLD.orderedAt IS NOT NEW.orderedAt OR NOT EXISTS (SELECT 1 FROM merging WHERE split = OLD.session);
END;

CREATE TRIGGER activityEventIsKept BEFORE DELETE ON activityEvent
WHEN NOT EXISTS (SELECT 1 FROM erasure WHERE learner = OLD.learner)
BEGIN
  SELECT RAISE(ABORT, 'activityEvent: only an erasure deletes it');
END;

CREATE TRIGGER sessionIsNew BEFORE INSERT ON session BEGIN
  SELECT RAISE(ABORT, 'session: a recorded value never changes')
  WHERE EXISTS (SELECT 1 FROM session WHERE id = NEW.id) OR EXISTS (SELECT 1 FROM session WHERE uuid = NEW.uuid);
  SELECT RAISE(ABORT, 'session: it belongs to another database')
  WHERE NEW.replica <> (SELECT uuid FROM replica) AND NOT EXISTS (SELECT 1 FROM merging WHERE learner = NEW.learner);
END;

CREATE TRIGGER sessionStays BEFORE UPDATE ON session BEGIN
  SELECT RAISE(ABORT, 'session: a recorded value never changes')
  WHERE OLD.id IS NOT NEW.id OR OLD.uuid IS NOT NEW.uuid OR OLD.learner IS NOT NEW.learner OR OLD.name IS NOT NEW.name
    OR OLD.timeZone IS NOT NEW.timeZone OR OLD.startedAt IS NOT NEW.startedAt OR OLD.replica IS NOT NEW.replica
    -- An erasure ends the session that it cuts at its last remaining visit.
    OR NOT EXISTS (SELECT 1 FROM erasure WHERE learner = OLD.learner) AND (
      OLD.endedAt <> NEW.endedAt
      OR OLD.endedAt IS NOT NULL AND NOT EXISTS (SELECT 1 FROM merging WHERE split = OLD.id)
      OR OLD.replica <> (SELECT uuid FROM replica) AND NOT EXISTS (SELECT 1 FROM merging WHERE learner = OLD.learner));
END;

CREATE TRIGGER sessionIsKept BEFORE DELETE ON session
WHEN NOT EXISTS (SELECT 1 FROM erasure WHERE learner = OLD.learner)
BEGIN
  SELECT RAISE(ABORT, 'session: only an erasure deletes it');
END;

-- A step is added only after the previous place was left, so the trigger checks the last step only.
CREATE TRIGGER sessionEndsWithItsVisit BEFORE UPDATE OF endedAt ON session
WHEN NEW.endedAt IS NOT NULL
  AND (SELECT leftAt IS NULL FROM navigationEvent WHERE session = NEW.id ORDER BY sequence DESC LIMIT 1)
BEGIN
  SELECT RAISE(ABORT, 'session: the last place was not left');
END;

-- The steps of sessions with a name, so that the filter by name is a walk down one index. The triggers maintain it; a session
-- never changes its name.
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

-- MARK: Projections, which can be deleted and rebuilt from the two logs

-- The stack of a session without the root. Each node is the parent of the next.
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
  SELECT RAISE(ABORT, 'stackEntry: entries are added and removed, never changed');
END;

-- The visits between which `back` and `forward` move, without those that a new step discarded.
CREATE TABLE visitEntry (
  session INTEGER NOT NULL,
  position INTEGER NOT NULL CHECK (position >= 0),
  sequence INTEGER NOT NULL,
  PRIMARY KEY (session, position),
  FOREIGN KEY (session, sequence) REFERENCES navigationEvent (session, sequence)
) STRICT, WITHOUT ROWID;

-- The visits in a subtree: one row for each ancestor of the event's place in the current tree, and one for the place.
CREATE TABLE visitUnder (
  learner INTEGER NOT NULL,
  node INTEGER NOT NULL,
  event INTEGER NOT NULL REFERENCES navigationEvent (id),
  -- The time of the event, which finds the last visit if the newest row is not the latest event. NULL for a step of this
  -- database after which nothing was merged.
  at INTEGER,
  PRIMARY KEY (learner, node, event)
) STRICT, WITHOUT ROWID;

CREATE INDEX visitUnderByTime ON visitUnder (learner, node, at) WHERE at IS NOT NULL;

CREATE INDEX visitUnderOfEvent ON visitUnder (event);

-- The frecency of a place: the logarithm of a sum of visits whose weight halves every week.
CREATE TABLE placeScore (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  score REAL NOT NULL,
  lastVisitAt INTEGER NOT NULL,
  visits INTEGER NOT NULL CHECK (visits >= 1),
  PRIMARY KEY (learner, node)
) STRICT, WITHOUT ROWID;

CREATE INDEX placeScoreInOrder ON placeScore (learner, score DESC);

-- The progress of a learner in an activity. A row exists for each activity that was opened or has events, and `isBegun` is 1
-- if the activity was begun: opening it does not begin it.
CREATE TABLE progress (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  begunAt INTEGER NOT NULL,
  doneAt INTEGER,
  isBegun INTEGER NOT NULL DEFAULT 0 CHECK (isBegun IN (0, 1)),
  PRIMARY KEY (node, learner)
) STRICT, WITHOUT ROWID;

CREATE INDEX progressUnfinished ON progress (learner, node) WHERE isBegun = 1 AND doneAt IS NULL;

-- The number of living activities at a place, and their duration.
CREATE TABLE placeTotal (
  node INTEGER PRIMARY KEY REFERENCES contentNode (id),
  activities INTEGER NOT NULL CHECK (activities >= 0),
  seconds INTEGER NOT NULL CHECK (seconds >= 0)
) STRICT;

-- The begun and done activities of a learner, at every ancestor of a begun activity. The activity itself is in `progress`.
CREATE TABLE placeProgress (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  begun INTEGER NOT NULL CHECK (begun >= 0),
  done INTEGER NOT NULL CHECK (done BETWEEN 0 AND begun),
  secondsDone INTEGER NOT NULL CHECK (secondsDone >= 0),
  PRIMARY KEY (node, learner)
) STRICT, WITHOUT ROWID;

-- The notes and highlights, with the values of their last events. The `detail` of an event contains the note's UUID in
-- `note`; that of a written note also contains `text`, `anchor`, `digest`, `from`, `to` and `quote`.
CREATE TABLE note (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  uuid TEXT NOT NULL CHECK (length(uuid) = 36),
  text TEXT NOT NULL,  -- '' for a highlight without words
  anchor TEXT NOT NULL,  -- of the heading before the passage; '' if there is none
  digest TEXT NOT NULL,  -- of the passage, as in `passageRead`
  start INTEGER NOT NULL CHECK (start >= 0),  -- the index of its first character in the passage, without spaces
  stop INTEGER NOT NULL CHECK (stop >= start),  -- the index after its last character
  quote TEXT NOT NULL,  -- the highlighted words
  createdAt INTEGER NOT NULL,
  changedAt INTEGER NOT NULL,
  PRIMARY KEY (learner, node, uuid)
) STRICT, WITHOUT ROWID;

-- MARK: Facts that are not in the logs

CREATE TABLE bookmark (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  createdAt INTEGER NOT NULL,
  PRIMARY KEY (learner, node)
) STRICT, WITHOUT ROWID;

-- The reading position in a text: the first visible block, the hidden fraction of it, the seen fraction of the text, and the
-- heading.
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

-- A quiz that was left before its end. A finished quiz is in the log of activity events and has no row here.
CREATE TABLE unfinishedQuiz (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  questions TEXT NOT NULL CHECK (questions <> ''),  -- a digest of the questions; the answers are discarded if it changes
  answers TEXT NOT NULL CHECK (json_valid(answers)),  -- for each question the numbers of the chosen choices, from 0
  question INTEGER NOT NULL CHECK (question >= 0),  -- the number of the current question, from 0
  isChecked INTEGER NOT NULL CHECK (isChecked IN (0, 1)),
  savedAt INTEGER NOT NULL,
  PRIMARY KEY (learner, node)
) STRICT, WITHOUT ROWID;

-- The read characters of a text: those that were visible for long enough. A row is a passage, which is a block identified by
-- a digest of its words. The row remains if the text loses the passage, and counts again if the passage returns.
CREATE TABLE passageRead (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  digest TEXT NOT NULL CHECK (length(digest) = 16),
  characters TEXT NOT NULL CHECK (characters <> ''),  -- half-open ranges in ascending order: '0-120 130-140'
  savedAt INTEGER NOT NULL,
  PRIMARY KEY (learner, node, digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE learnerSetting (
  learner INTEGER NOT NULL REFERENCES learner (id),
  name TEXT NOT NULL CHECK (name <> ''),
  value TEXT NOT NULL,
  PRIMARY KEY (learner, name)
) STRICT, WITHOUT ROWID;

-- Facts of kinds that only a later program knows, unchanged.
CREATE TABLE otherFact (
  learner INTEGER NOT NULL REFERENCES learner (id),
  kind TEXT NOT NULL,
  node INTEGER NOT NULL,  -- 0 for none
  name TEXT NOT NULL,  -- '' for none
  value TEXT NOT NULL,
  savedAt INTEGER,  -- the time that an erasure of a period compares
  PRIMARY KEY (learner, kind, node, name)
) STRICT, WITHOUT ROWID;

-- The time and database of the last change of each of these facts; the later of two changes wins. The row of a removed fact
-- remains. Read passages only grow and have no row.
-- `stamp` is a hybrid logical time: milliseconds since 1970 × 65,536, plus 16 random bits.
CREATE TABLE factChange (
  learner INTEGER NOT NULL REFERENCES learner (id),
  kind TEXT NOT NULL CHECK (kind GLOB '[a-z]*' AND length(kind) <= 40),
  node INTEGER NOT NULL,  -- 0 for a setting
  name TEXT NOT NULL,  -- '' but for a setting
  stamp INTEGER NOT NULL,
  replica TEXT NOT NULL,
  PRIMARY KEY (learner, kind, node, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX factChangeByStamp ON factChange (learner, stamp);

-- The identity of this database among the databases of a learner. It is also in a file next to the database, so that a copy
-- takes another `uuid` before it writes. `origin` is equal in all copies.
CREATE TABLE replica (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  uuid TEXT NOT NULL,
  origin TEXT NOT NULL DEFAULT (lower(hex(randomblob(16))))
) STRICT;

INSERT INTO replica (id, uuid) VALUES (1, lower(hex(randomblob(16))));

-- MARK: Review: the cards of each activity, and each learner's memory of them

-- The flashcards and questions of each activity, as the cards that are asked. A row remains if the activity loses the card, so
-- that the card keeps its key when it returns.
CREATE TABLE card (
  node INTEGER NOT NULL REFERENCES contentNode (id),
  key TEXT NOT NULL CHECK (key <> ''),  -- `base`, and '/' and `variant` unless that is empty
  base TEXT NOT NULL CHECK (base <> ''),  -- the key of the flashcard or question
  variant TEXT NOT NULL,  -- '', 'r' for back to front, or 'c' and the number of a gap
  position INTEGER CHECK (position >= 0),  -- the number of the card in its activity; NULL if the activity has lost it
  item INTEGER NOT NULL CHECK (item >= 0),  -- the number of the flashcard or question in its activity
  front TEXT NOT NULL,  -- digests of the question and the answer, which recognise the card after an edit
  back TEXT NOT NULL,
  PRIMARY KEY (node, key)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX cardInOrder ON card (node, position) WHERE position IS NOT NULL;

-- The events of one card. `detail.key` is the card's key.
CREATE INDEX activityEventOfCard ON activityEvent (learner, node, detail ->> 'key') WHERE kind GLOB 'card*';

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

-- The activities whose cards a learner has added to the reviews before beginning their lessons.
CREATE INDEX activityEventIncluding ON activityEvent (learner, node, at) WHERE kind = 'cardsIncluded';

-- A learner's memory of a card. A card without events has no row.
CREATE TABLE cardMemory (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  key TEXT NOT NULL,
  course INTEGER NOT NULL,
  phase TEXT NOT NULL CHECK (phase IN ('new', 'learning', 'review', 'relearning')),
  step INTEGER NOT NULL,
  stability REAL,  -- days
  difficulty REAL,  -- 1 to 10
  intervalDays INTEGER NOT NULL,
  answers INTEGER NOT NULL,
  lapses INTEGER NOT NULL,
  lastAt INTEGER,
  lastDay INTEGER,  -- days since 1970-01-01 of the learner's time zone; a day begins at 4 in the morning
  due INTEGER NOT NULL,  -- a day
  stepEndsAt INTEGER,  -- the end of a step; NULL for a card that is due on a day
  isSuspended INTEGER NOT NULL CHECK (isSuspended IN (0, 1)),
  buriedUntil INTEGER,  -- a day
  shownFrom INTEGER NOT NULL,  -- the later of `due` and `buriedUntil`
  isPresent INTEGER NOT NULL CHECK (isPresent IN (0, 1)),  -- whether its activity is in a course and contains it
  isQueued INTEGER NOT NULL CHECK (isQueued IN (0, 1)),  -- present and not suspended
  orderedAt INTEGER NOT NULL,  -- of the last event
  PRIMARY KEY (learner, node, key)
) STRICT, WITHOUT ROWID;

-- The queue of a course by days, with all that its order depends on. SQLite reads only the index if that contains the column
-- of the condition too.
CREATE INDEX cardMemoryDue ON cardMemory (
  learner, course, shownFrom, lastDay, stability, phase, stepEndsAt, isQueued)
WHERE isQueued = 1;
CREATE INDEX cardMemoryStep ON cardMemory (learner, stepEndsAt, shownFrom, course, isQueued)
WHERE isQueued = 1 AND stepEndsAt IS NOT NULL;

-- The number of cards of an activity that have a row in `cardMemory` and are present.
CREATE TABLE cardsMet (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  cards INTEGER NOT NULL,
  PRIMARY KEY (learner, node)
) STRICT, WITHOUT ROWID;

-- The number of cards of each activity in a course.
CREATE TABLE cardTotal (
  node INTEGER PRIMARY KEY REFERENCES contentNode (id),
  cards INTEGER NOT NULL CHECK (cards > 0)
) STRICT;

-- The cards that a learner has made of passages and questions.
CREATE TABLE madeCard (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  key TEXT NOT NULL,
  front TEXT NOT NULL,
  back TEXT NOT NULL,
  PRIMARY KEY (learner, node, key)
) STRICT, WITHOUT ROWID;

-- The answers of each day.
CREATE TABLE reviewDay (
  learner INTEGER NOT NULL REFERENCES learner (id),
  day INTEGER NOT NULL,
  course INTEGER NOT NULL,
  answers INTEGER NOT NULL,
  new INTEGER NOT NULL,  -- first answers
  reviews INTEGER NOT NULL,  -- answers to cards in the phase 'review'
  passed INTEGER NOT NULL,  -- of those, the remembered ones
  milliseconds INTEGER NOT NULL,
  PRIMARY KEY (learner, day, course)
) STRICT, WITHOUT ROWID;

-- The memories of cards to which merges have added events. They are computed before they are read, because a long history
-- arrives in many merges. `counted` is the row ID of the last event that the memory and the counts of days contain.
CREATE TABLE staleMemory (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  key TEXT NOT NULL,
  counted INTEGER NOT NULL,
  PRIMARY KEY (learner, node, key)
) STRICT, WITHOUT ROWID;

-- MARK: Views for the sqlite3 shell, documented in asking-in-sql.md and stable

-- One row for each step: learner, place, operation, time and duration.
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
