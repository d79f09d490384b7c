-- Words inside of runs of Thai, Lao, Khmer and Burmese are found now, and Latin letters and digits that are written wide by
-- plain ones. What was indexed before is looked through again, as by 0011_letter_pairs.

INSERT OR REPLACE INTO searchAgain (id, nextNode, lastNode)
SELECT 1, first, last FROM (SELECT min(node) AS first, max(node) AS last FROM searchText) WHERE first IS NOT NULL;
