-- Names that a person gave to places. `contentNode.title` is what a place is called, and here is what its author calls it:
-- an import brings that one up to date, and leaves the given name alone.
CREATE TABLE authorTitle (
  node INTEGER PRIMARY KEY REFERENCES contentNode (id),
  title TEXT NOT NULL CHECK (title <> '')
) STRICT;
