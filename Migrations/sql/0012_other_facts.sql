-- Facts of kinds that only a later program knows are kept as it writes them, and passed on. When each was last changed stands
-- in `factChange`, as for all others.
CREATE TABLE otherFact (
  learner INTEGER NOT NULL REFERENCES learner (id),
  kind TEXT NOT NULL,
  node INTEGER NOT NULL,  -- 0 for none
  name TEXT NOT NULL,  -- '' for none
  value TEXT NOT NULL,
  savedAt INTEGER,  -- where it goes with an erasure of that time
  PRIMARY KEY (learner, kind, node, name)
) STRICT, WITHOUT ROWID;

-- Source: SQLite, "ALTER TABLE", "Making Other Kinds Of Table Schema Changes": a CHECK that goes.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql,
  'CHECK (kind IN (''bookmark'', ''position'', ''quiz'', ''setting''))',
  'CHECK (kind GLOB ''[a-z]*'' AND length(kind) <= 40)')
WHERE type = 'table' AND name = 'factChange';
PRAGMA writable_schema = RESET;
