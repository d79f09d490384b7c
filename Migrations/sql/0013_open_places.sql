-- What a later program writes into the first log of places, and of which way a transition went and why, is kept as it is
-- written, and passed on. The rules that tie such words to one another hold for those that are known.

-- Source: SQLite, "ALTER TABLE", "Making Other Kinds Of Table Schema Changes": a CHECK that goes.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(replace(replace(replace(replace(replace(replace(replace(replace(sql,
  'direction TEXT CHECK (direction IN (''down'', ''up'', ''left'', ''right''))',
  'direction TEXT CHECK (direction GLOB ''[a-z]*'' AND length(direction) <= 40)'),
  'reason TEXT CHECK (reason IN (''matched'', ''noMatch''))',
  'reason TEXT CHECK (reason GLOB ''[a-z]*'' AND length(reason) <= 40)'),
  'fromKind TEXT CHECK (fromKind IN (''root'', ''course'', ''goal'', ''lesson'', ''activity''))',
  'fromKind TEXT CHECK (fromKind GLOB ''[a-z]*'' AND length(fromKind) <= 40)'),
  'toKind TEXT NOT NULL CHECK (toKind IN (''root'', ''course'', ''goal'', ''lesson'', ''activity''))',
  'toKind TEXT NOT NULL CHECK (toKind GLOB ''[a-z]*'' AND length(toKind) <= 40)'),
  'CHECK (CASE WHEN fromKind IS NULL THEN fromNode IS NULL ELSE (fromKind = ''root'') = (fromNode IS NULL) END)',
  'CHECK (fromNode IS NULL OR coalesce(fromKind, ''root'') <> ''root''),
  CHECK (fromNode IS NOT NULL OR fromKind IS NULL OR fromKind NOT IN (''course'', ''goal'', ''lesson'', ''activity''))'),
  'CHECK ((toKind = ''root'') = (toNode IS NULL))',
  'CHECK (toNode IS NULL OR toKind <> ''root''),
  CHECK (toNode IS NOT NULL OR toKind NOT IN (''course'', ''goal'', ''lesson'', ''activity''))'),
  'CHECK ((direction IS NULL) = (coalesce(transition, ''crossFade'') = ''crossFade''))',
  'CHECK (direction IS NULL OR coalesce(transition, ''crossFade'') <> ''crossFade''),
  CHECK (direction IS NOT NULL OR transition IS NULL OR transition NOT IN (
    ''courseCard'', ''goalCard'', ''lessonCard'', ''activityCard'', ''siblingSlide''))'),
  'CHECK ((movingNode IS NULL) = (direction IS NULL))',
  'CHECK ((movingNode IS NULL) = (direction IS NULL) OR transition NOT IN (
    ''courseCard'', ''goalCard'', ''lessonCard'', ''activityCard'', ''siblingSlide'', ''crossFade''))'),
  'CHECK ((reason = ''noMatch'') = (transition = ''crossFade''))',
  'CHECK ((reason = ''noMatch'') = (transition = ''crossFade'') OR reason NOT IN (''matched'', ''noMatch'')
    OR transition NOT IN (''courseCard'', ''goalCard'', ''lessonCard'', ''activityCard'', ''siblingSlide'', ''crossFade''))')
WHERE type = 'table' AND name = 'navigationEvent';
PRAGMA writable_schema = RESET;

-- What a record called a node that stands here under a kind that is known, where it comes from a later program.
ALTER TABLE contentNode ADD COLUMN toldKind TEXT CHECK (toldKind GLOB '[a-z]*' AND length(toldKind) <= 40);
