-- Words inside of runs without blanks, as Chinese, Japanese and Korean have them, are found now: where a text has such
-- letters, the index has each of them together with the one behind it.
--
-- What was indexed before is looked through again, in pieces, by whoever indexes next; what has such letters is queued.
-- These are the nodes that are still to be looked through; where there is no row, none.

CREATE TABLE searchAgain (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  nextNode INTEGER NOT NULL,
  lastNode INTEGER NOT NULL,
  CHECK (nextNode <= lastNode)
) STRICT;

INSERT INTO searchAgain (id, nextNode, lastNode)
SELECT 1, first, last FROM (SELECT min(node) AS first, max(node) AS last FROM searchText) WHERE first IS NOT NULL;
