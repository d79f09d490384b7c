-- Search: the words of every node in an index. Separate batches update it after an import, so that no other writer waits.

-- The indexed words of each node. FTS5 needs the old words to remove them from the index.
CREATE TABLE searchText (
  node INTEGER PRIMARY KEY REFERENCES contentNode (id),
  title TEXT NOT NULL,
  summary TEXT NOT NULL,
  text TEXT NOT NULL,
  scope TEXT NOT NULL  -- one word for the course and one for the kind
) STRICT;

-- The nodes whose words are to be added to the index or removed from it. An import only queues them.
CREATE TABLE searchQueue (
  node INTEGER PRIMARY KEY REFERENCES contentNode (id),
  revision INTEGER NOT NULL
) STRICT;

-- Each prefix length is an index over every word, and takes a third of the time of everything else to write. Few words have
-- the same first three letters, so looking each of them up is as fast.
CREATE VIRTUAL TABLE nodeSearch USING fts5 (
  title, summary, text, scope,
  content = 'searchText', content_rowid = 'node', prefix = '1 2', tokenize = 'unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE searchWord USING fts5vocab (nodeSearch, 'col');

-- The words that are or were in the index, to correct misspelled words of a query. `searchWord` also lists them, but reads
-- every occurrence, which takes a hundred times as long. Words are never removed here; a query checks the index for
-- them.
CREATE TABLE searchTerm (
  term TEXT PRIMARY KEY,
  inTitle INTEGER NOT NULL CHECK (inTitle IN (0, 1))  -- whether it is or was in a title
) STRICT, WITHOUT ROWID;

-- Each batch adds a segment to the index. By default FTS5 merges four segments at a time, inside the batch that completes
-- them: some batches then take ten times as long, and each word is written about five times. Therefore batches only add
-- segments, and the program merges sixteen at a time between them, in steps as short as a batch.
INSERT INTO nodeSearch (nodeSearch, rank) VALUES ('automerge', 0);
INSERT INTO nodeSearch (nodeSearch, rank) VALUES ('usermerge', 16);
-- If no program merges, a batch merges before the number of segments slows searching down.
INSERT INTO nodeSearch (nodeSearch, rank) VALUES ('crisismerge', 64);
