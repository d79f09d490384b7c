-- How the search index grows. Each batch adds a segment to it, and segments are merged when there are many.
--
-- By itself the index merges inside the batch that makes it due, four segments at a time: most batches then wait for
-- none, some for ten times their own work, and each word is written anew some five times. Now batches only add, and
-- whoever indexes merges in between, sixteen at a time, in steps as short as a batch.

INSERT INTO nodeSearch (nodeSearch, rank) VALUES ('automerge', 0);
INSERT INTO nodeSearch (nodeSearch, rank) VALUES ('usermerge', 16);
-- Where nobody merged all the same, a batch does it itself before there are too many segments to search.
INSERT INTO nodeSearch (nodeSearch, rank) VALUES ('crisismerge', 64);
