-- Exports to Anki: the times of changes, and the notes of courses that were imported from Anki. These tables are not synchronised.
-- A digest of the flashcard or question, and when it changed. NULL for a card that was imported before this migration.
ALTER TABLE card ADD COLUMN digest TEXT;
ALTER TABLE card ADD COLUMN changedAt INTEGER;  -- milliseconds since 1970-01-01T00:00:00Z

-- The note types and notes of the newest revision of a course, as Anki stores them.
CREATE TABLE sourceNoteType (
  course INTEGER NOT NULL REFERENCES contentNode (id),
  id INTEGER NOT NULL,
  content TEXT NOT NULL CHECK (json_valid(content)),
  PRIMARY KEY (course, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE sourceNote (
  course INTEGER NOT NULL REFERENCES contentNode (id),
  guid TEXT NOT NULL,
  type INTEGER NOT NULL,
  changedAt INTEGER NOT NULL,  -- seconds since 1970
  tags TEXT NOT NULL,  -- separated by spaces
  fields TEXT NOT NULL,  -- separated by U+001F
  PRIMARY KEY (course, guid)
) STRICT;
