-- What a later program writes into the logs is kept as it is written, and passed on: a machine, or a server, that is older
-- loses nothing of it.

-- The rows stay as they are, so nothing but the text of the tables changes.
--
-- Source: SQLite, "ALTER TABLE", "Making Other Kinds Of Table Schema Changes": a CHECK that goes.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(replace(replace(sql,
  'operation TEXT NOT NULL CHECK (operation IN (
    ''push'', ''pop'', ''popTo'', ''popToRoot'', ''select'', ''next'', ''previous'', ''open'', ''back'', ''forward'', ''resume'', ''repair''))',
  'operation TEXT NOT NULL CHECK (operation GLOB ''[a-z]*'' AND length(operation) <= 40)'),
  'transition TEXT CHECK (transition IN (
    ''courseCard'', ''goalCard'', ''lessonCard'', ''activityCard'', ''siblingSlide'', ''crossFade''))',
  'transition TEXT CHECK (transition GLOB ''[a-z]*'' AND length(transition) <= 40)'),
  'cause TEXT NOT NULL CHECK (cause IN (''key'', ''mouse'', ''search'', ''bookmark'', ''link'', ''shell'', ''api'', ''system''))',
  'cause TEXT NOT NULL CHECK (cause GLOB ''[a-z]*'' AND length(cause) <= 40)')
WHERE type = 'table' AND name = 'navigationEvent';
UPDATE sqlite_schema SET sql = replace(sql,
  'kind TEXT NOT NULL CHECK (
    kind IN (''seenToEnd'', ''markedDone'', ''markedNotDone'', ''quizChecked'', ''cardGraded'', ''noted'', ''noteRemoved''))',
  'kind TEXT NOT NULL CHECK (kind GLOB ''[a-z]*'' AND length(kind) <= 40)')
WHERE type = 'table' AND name = 'activityEvent';
PRAGMA writable_schema = RESET;
