-- Import: the revisions of each course, and the former paths of nodes.

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
  SELECT RAISE(ABORT, 'what an import did never changes')
  WHERE EXISTS (SELECT 1 FROM courseRevision WHERE course = NEW.course AND number = NEW.number);
END;

CREATE TRIGGER courseRevisionIsKept BEFORE DELETE ON courseRevision
BEGIN
  SELECT RAISE(ABORT, 'what an import did is never deleted');
END;

CREATE TRIGGER courseRevisionStays BEFORE UPDATE ON courseRevision
BEGIN
  SELECT RAISE(ABORT, 'what an import did never changes');
END;
