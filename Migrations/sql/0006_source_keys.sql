-- Import: other keys under which the source of a course now contains nodes.

-- A node keeps its key when its page is renamed. The key of the renamed page leads to the node from then on.
CREATE TABLE sourceKey (
  node INTEGER PRIMARY KEY REFERENCES contentNode (id),
  course INTEGER NOT NULL REFERENCES course (node) DEFERRABLE INITIALLY DEFERRED,
  key TEXT NOT NULL CHECK (key <> ''),
  UNIQUE (course, key)
) STRICT;
