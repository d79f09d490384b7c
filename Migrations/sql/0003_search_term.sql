-- The words that the search index has or has had, to find the one that was meant by a slip of the finger.
--
-- The index itself can list its words too, but reads for each of them everything that it knows of it: a hundred times as
-- long. Words are only added here; whether one is still in a text, the index is asked.

CREATE TABLE searchTerm (
  term TEXT PRIMARY KEY,
  inTitle INTEGER NOT NULL CHECK (inTitle IN (0, 1))  -- whether it has stood in a title
) STRICT, WITHOUT ROWID;

INSERT INTO searchTerm (term, inTitle)
SELECT term, max(col = 'title') FROM searchWord WHERE col <> 'scope' GROUP BY term;
