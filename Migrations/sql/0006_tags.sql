-- The tags of the flashcards that a course contains, for each card that asks them.
CREATE TABLE cardTag (
  tag TEXT NOT NULL COLLATE NOCASE CHECK (tag <> ''),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  key TEXT NOT NULL,
  PRIMARY KEY (tag, node, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX cardTagOfNode ON cardTag (node);

INSERT OR IGNORE INTO cardTag (tag, node, key)
SELECT tag.value, card.node, card.key
FROM activityContent AS activity
CROSS JOIN json_each(activity.content, '$.' || activity.type) AS item
CROSS JOIN json_each(item.value, '$.tags') AS tag
CROSS JOIN card ON card.node = activity.node AND card.item = item.key AND card.position IS NOT NULL
WHERE activity.items IS NOT NULL AND tag.value <> '';
