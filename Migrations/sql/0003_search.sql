-- Search: the words of every node, in an index that follows the content in batches of their own, so that no other writer
-- waits for it.

-- The words of each node as the index has them: what the index is told to forget when they change.
CREATE TABLE searchText (
  node INTEGER PRIMARY KEY REFERENCES contentNode (id),
  title TEXT NOT NULL,
  summary TEXT NOT NULL,
  text TEXT NOT NULL,
  scope TEXT NOT NULL  -- one word for its course and one for its kind
) STRICT;

-- The nodes whose words the index does not have yet, or has and should not. An import only queues them.
CREATE TABLE searchQueue (
  node INTEGER PRIMARY KEY REFERENCES contentNode (id),
  revision INTEGER NOT NULL
) STRICT;

-- Each length of a prefix is an index of its own over every word, and takes as long to write as a third of all the rest.
-- Of three letters on there are few words that begin so, and they are looked up one by one as quickly.
CREATE VIRTUAL TABLE nodeSearch USING fts5 (
  title, summary, text, scope,
  content = 'searchText', content_rowid = 'node', prefix = '1 2', tokenize = 'unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE searchWord USING fts5vocab (nodeSearch, 'col');

-- The words that the index has or has had, to find the one that was meant by a slip of the finger. The index can list
-- them itself, in searchWord, but reads all that it knows of each: a hundred times as long. Words are only added here;
-- whether one is still in a text, the index is asked.
CREATE TABLE searchTerm (
  term TEXT PRIMARY KEY,
  inTitle INTEGER NOT NULL CHECK (inTitle IN (0, 1))  -- whether it has stood in a title
) STRICT, WITHOUT ROWID;

-- Each batch adds a segment to the index. By itself the index merges inside the batch that makes it due, four segments at
-- a time: most batches wait for none, some for ten times their own work, and each word is written anew some five times. So
-- batches only add, and the program merges in between, sixteen at a time, in steps as short as a batch.
INSERT INTO nodeSearch (nodeSearch, rank) VALUES ('automerge', 0);
INSERT INTO nodeSearch (nodeSearch, rank) VALUES ('usermerge', 16);
-- Where no program merged all the same, a batch does it itself before there are too many segments to search.
INSERT INTO nodeSearch (nodeSearch, rank) VALUES ('crisismerge', 64);
