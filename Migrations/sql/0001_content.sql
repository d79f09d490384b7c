-- Content: the tree of every course, and the texts of the activities.
--
-- The rules of the tree hold for every writer:
--   a course has no parent; the parent of a goal is its course, of a lesson a goal or a lesson, of an activity a lesson;
--   a node and its parent belong to one course; no node is its own ancestor; the parent of a living node is living;
--   slugs and positions are unique among living siblings, keys within a course, keys and slugs of courses among courses;
--   a node is never deleted and keeps its id, course and key. An import that removes it sets removedInRevision.
-- Rules that several rows fulfil together are checked at the end of the transaction.

PRAGMA application_id = 1464685131;  -- the letters WMRK
PRAGMA user_version = 7;  -- A database of an earlier development version has a smaller number.

CREATE TABLE contentNode (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  course INTEGER NOT NULL REFERENCES course (node) DEFERRABLE INITIALLY DEFERRED,
  parent INTEGER REFERENCES contentNode (id) DEFERRABLE INITIALLY DEFERRED,
  key TEXT NOT NULL CHECK (key <> ''),
  kind TEXT NOT NULL CHECK (kind IN ('course', 'goal', 'lesson', 'activity')),
  position INTEGER NOT NULL CHECK (position >= 0),
  slug TEXT NOT NULL CHECK (slug <> '' AND instr(slug, '/') = 0),
  title TEXT NOT NULL CHECK (title <> ''),
  summary TEXT NOT NULL DEFAULT '',
  minutes INTEGER CHECK (minutes > 0),
  removedInRevision INTEGER,
  living INTEGER GENERATED ALWAYS AS (CASE WHEN removedInRevision IS NULL THEN 1 END) VIRTUAL,
  -- The kind in the record of a later program, for a node that is stored here under a known kind.
  toldKind TEXT CHECK (toldKind GLOB '[a-z]*' AND length(toldKind) <= 40),

  CHECK ((kind = 'course') = (parent IS NULL)),
  CHECK ((kind = 'course') = (course = id)),
  UNIQUE (course, key),
  -- `living` is NULL for removed nodes, and NULLs are distinct: these rules hold for living nodes only.
  UNIQUE (parent, living, position),
  UNIQUE (parent, living, slug),
  UNIQUE (id, living),
  FOREIGN KEY (parent, living) REFERENCES contentNode (id, living) DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY (course, removedInRevision) REFERENCES courseRevision (course, number) DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX courseKey ON contentNode (key) WHERE parent IS NULL;
CREATE UNIQUE INDEX coursePosition ON contentNode (living, position) WHERE parent IS NULL;
CREATE UNIQUE INDEX courseSlug ON contentNode (living, slug) WHERE parent IS NULL;

-- The properties of a course. Its top node and this row refer to each other.
CREATE TABLE course (
  node INTEGER PRIMARY KEY REFERENCES contentNode (id) DEFERRABLE INITIALLY DEFERRED,
  language TEXT,
  sourceFormat TEXT NOT NULL,
  revision INTEGER NOT NULL,
  FOREIGN KEY (node, revision) REFERENCES courseRevision (course, number) DEFERRABLE INITIALLY DEFERRED
) STRICT;

-- A table of its own, so that walking the tree reads no texts.
CREATE TABLE activityContent (
  node INTEGER PRIMARY KEY REFERENCES contentNode (id),
  type TEXT NOT NULL CHECK (type <> ''),  -- also the member of the content with its cards or questions
  content TEXT NOT NULL CHECK (json_valid(content)),
  letters INTEGER NOT NULL DEFAULT 0 CHECK (letters >= 0),  -- the number of letters of the text
  items INTEGER CHECK (items >= 0),  -- the number of cards or questions, NULL for a type without either
  hasScore INTEGER NOT NULL DEFAULT 0 CHECK (hasScore IN (0, 1)),  -- whether an attempt gets a score
  -- Whether reading a part of the text counts as a part of the duration.
  isReadInParts INTEGER NOT NULL DEFAULT 1 CHECK (isReadInParts IN (0, 1))
) STRICT;

-- The author's title of a place that the learner has renamed. An import updates it and keeps the learner's title, which is
-- `contentNode.title`.
CREATE TABLE authorTitle (
  node INTEGER PRIMARY KEY REFERENCES contentNode (id),
  title TEXT NOT NULL CHECK (title <> '')
) STRICT;

-- The pictures of texts. A picture is stored once, under its digest, even if several courses contain it.
CREATE TABLE picture (
  digest TEXT NOT NULL UNIQUE CHECK (length(digest) = 64),  -- SHA-256, in hexadecimal digits
  bytes BLOB NOT NULL CHECK (length(bytes) > 0)  -- the file: PNG, JPEG, GIF, WebP or SVG
) STRICT;

-- The pictures of the newest revision of each course. A picture without a course is deleted.
CREATE TABLE coursePicture (
  course INTEGER NOT NULL REFERENCES contentNode (id),
  digest TEXT NOT NULL REFERENCES picture (digest),
  PRIMARY KEY (course, digest)
) STRICT, WITHOUT ROWID;

CREATE INDEX coursePictureDigest ON coursePicture (digest);

-- MARK: Rules that depend on another row

-- REPLACE does not fire the delete triggers, so this trigger looks for the row that it would replace.
CREATE TRIGGER contentNodeStands BEFORE INSERT ON contentNode
BEGIN
  SELECT CASE
    WHEN EXISTS (SELECT 1 FROM contentNode WHERE id = NEW.id)
      THEN RAISE(ABORT, 'a node is never replaced')
    WHEN EXISTS (SELECT 1 FROM contentNode WHERE course = NEW.course AND key = NEW.key)
      THEN RAISE(ABORT, 'the course has a node of this key')
    WHEN NEW.parent IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM contentNode AS above
      WHERE above.id = NEW.parent AND above.course = NEW.course AND (
        NEW.kind = 'activity' AND above.kind = 'lesson' OR NEW.kind = 'lesson' AND above.kind IN ('goal', 'lesson')
        OR NEW.kind = 'goal' AND above.kind = 'course'))
      THEN RAISE(ABORT, 'the parent is in another course, or of a kind that cannot contain the node')
  END;
END;

CREATE TRIGGER contentNodeMoves BEFORE UPDATE OF parent, kind ON contentNode
WHEN NEW.parent IS NOT NULL AND (NEW.parent IS NOT OLD.parent OR NEW.kind <> OLD.kind)
BEGIN
  SELECT RAISE(ABORT, 'the parent is in another course, or of a kind that cannot contain the node')
  WHERE NOT EXISTS (
    SELECT 1 FROM contentNode AS above
    WHERE above.id = NEW.parent AND above.course = NEW.course
      AND (
        NEW.kind = 'activity' AND above.kind = 'lesson' OR NEW.kind = 'lesson' AND above.kind IN ('goal', 'lesson')
        OR NEW.kind = 'goal' AND above.kind = 'course')
  );
  SELECT RAISE(ABORT, 'the new kind of the node cannot contain its children')
  WHERE EXISTS (
    SELECT 1 FROM contentNode AS below
    WHERE below.parent = NEW.id AND below.living = 1
      AND NOT (
        below.kind = 'activity' AND NEW.kind = 'lesson' OR below.kind = 'lesson' AND NEW.kind IN ('goal', 'lesson')
        OR below.kind = 'goal' AND NEW.kind = 'course')
  );
  SELECT RAISE(ABORT, 'the node would be its own ancestor')
  WHERE EXISTS (
    WITH RECURSIVE above (id) AS (
      VALUES (NEW.parent)
      UNION
      SELECT contentNode.parent FROM contentNode JOIN above ON contentNode.id = above.id
      WHERE contentNode.parent IS NOT NULL
    )
    SELECT 1 FROM above WHERE id = NEW.id
  );
END;

CREATE TRIGGER contentNodeReturns BEFORE UPDATE OF removedInRevision ON contentNode
WHEN NEW.parent IS NOT NULL AND NEW.removedInRevision IS NULL AND OLD.removedInRevision IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'the parent is in another course, or of a kind that cannot contain the node')
  WHERE NOT EXISTS (
    SELECT 1 FROM contentNode AS above
    WHERE above.id = NEW.parent AND above.course = NEW.course
      AND (
        NEW.kind = 'activity' AND above.kind = 'lesson' OR NEW.kind = 'lesson' AND above.kind IN ('goal', 'lesson')
        OR NEW.kind = 'goal' AND above.kind = 'course')
  );
END;

CREATE TRIGGER contentNodeStays BEFORE UPDATE OF id, course, key ON contentNode
WHEN NEW.id <> OLD.id OR NEW.course <> OLD.course OR NEW.key <> OLD.key
BEGIN
  SELECT RAISE(ABORT, 'a node keeps its id, its course and its key');
END;

CREATE TRIGGER contentNodeIsCourse BEFORE UPDATE OF kind ON contentNode
WHEN (NEW.kind = 'course') <> (OLD.kind = 'course')
BEGIN
  SELECT RAISE(ABORT, 'a course remains a course, and no other node becomes one');
END;

CREATE TRIGGER contentNodeHasContent BEFORE UPDATE OF kind ON contentNode
WHEN OLD.kind = 'activity' AND NEW.kind <> 'activity'
BEGIN
  SELECT RAISE(ABORT, 'only an activity has content')
  WHERE EXISTS (SELECT 1 FROM activityContent WHERE node = NEW.id);
END;

CREATE TRIGGER contentNodeIsKept BEFORE DELETE ON contentNode
BEGIN
  SELECT RAISE(ABORT, 'a node is never deleted: set removedInRevision');
END;

CREATE TRIGGER courseIsKept BEFORE DELETE ON course
BEGIN
  SELECT RAISE(ABORT, 'a course is never deleted: set removedInRevision of its nodes');
END;

CREATE TRIGGER courseHasNode BEFORE INSERT ON course
BEGIN
  SELECT RAISE(ABORT, 'only the top node of a tree is a course')
  WHERE EXISTS (SELECT 1 FROM contentNode WHERE id = NEW.node AND kind <> 'course');
END;

CREATE TRIGGER courseStays BEFORE UPDATE OF node ON course WHEN NEW.node <> OLD.node
BEGIN
  SELECT RAISE(ABORT, 'a course keeps its node');
END;

CREATE TRIGGER activityContentBelongs BEFORE INSERT ON activityContent
BEGIN
  SELECT RAISE(ABORT, 'only an activity has content')
  WHERE NOT EXISTS (SELECT 1 FROM contentNode WHERE id = NEW.node AND kind = 'activity');
END;

CREATE TRIGGER activityContentStays BEFORE UPDATE OF node ON activityContent WHEN NEW.node <> OLD.node
BEGIN
  SELECT RAISE(ABORT, 'content stays with its activity');
END;

-- Documented in asking-in-sql.md, and stable.

-- Every node with its path; a removed node has its last path. A query by id walks up from that node only.
CREATE VIEW place AS
SELECT
  node.id, node.course, node.parent, node.kind, node.title, node.summary, node.minutes, node.position, node.slug,
  (
    WITH RECURSIVE above (parent, path) AS (
      VALUES (node.parent, node.slug)
      UNION ALL
      SELECT next.parent, next.slug || '/' || above.path FROM contentNode AS next JOIN above ON next.id = above.parent
    )
    SELECT path FROM above WHERE parent IS NULL
  ) AS path,
  node.removedInRevision
FROM contentNode AS node;

-- MARK: Import: the revisions of each course, the former paths of nodes, and other keys

-- The changes of each import and each removal of a course. A removal has no source.
CREATE TABLE courseRevision (
  course INTEGER NOT NULL REFERENCES course (node) DEFERRABLE INITIALLY DEFERRED,
  number INTEGER NOT NULL CHECK (number >= 1),
  importedAt INTEGER NOT NULL,  -- milliseconds since 1970-01-01T00:00:00Z
  sourceFormat TEXT,
  sourceName TEXT,
  sourceDigest TEXT,
  added INTEGER NOT NULL CHECK (added >= 0),
  moved INTEGER NOT NULL CHECK (moved >= 0),
  renamed INTEGER NOT NULL CHECK (renamed >= 0),
  changed INTEGER NOT NULL CHECK (changed >= 0),
  removed INTEGER NOT NULL CHECK (removed >= 0),
  unchanged INTEGER NOT NULL CHECK (unchanged >= 0),
  PRIMARY KEY (course, number)
) STRICT, WITHOUT ROWID;

-- The slugs of a node under a parent (NULL for a course) before the node was moved. The newest row wins.
CREATE TABLE formerPath (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  parent INTEGER REFERENCES contentNode (id),
  slug TEXT NOT NULL,
  node INTEGER NOT NULL REFERENCES contentNode (id)
) STRICT;

CREATE INDEX formerPathSlug ON formerPath (parent, slug);
CREATE INDEX formerPathNode ON formerPath (node);

CREATE TRIGGER courseRevisionIsNew BEFORE INSERT ON courseRevision
BEGIN
  SELECT RAISE(ABORT, 'the record of an import never changes')
  WHERE EXISTS (SELECT 1 FROM courseRevision WHERE course = NEW.course AND number = NEW.number);
END;

CREATE TRIGGER courseRevisionIsKept BEFORE DELETE ON courseRevision
BEGIN
  SELECT RAISE(ABORT, 'the record of an import is never deleted');
END;

CREATE TRIGGER courseRevisionStays BEFORE UPDATE ON courseRevision
BEGIN
  SELECT RAISE(ABORT, 'the record of an import never changes');
END;

-- The other keys under which the source of a course now contains nodes. A node keeps its key when its page is renamed, and
-- the key of the renamed page leads to the node from then on.
CREATE TABLE sourceKey (
  node INTEGER PRIMARY KEY REFERENCES contentNode (id),
  course INTEGER NOT NULL REFERENCES course (node) DEFERRABLE INITIALLY DEFERRED,
  key TEXT NOT NULL CHECK (key <> ''),
  UNIQUE (course, key)
) STRICT;
