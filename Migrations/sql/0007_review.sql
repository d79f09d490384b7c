-- Review: the cards of each activity, and each learner's memory of them.

-- The flashcards and questions of each activity, as the cards that are asked. A row remains if the activity loses the card, so
-- that the card keeps its key when it returns.
CREATE TABLE card (
  node INTEGER NOT NULL REFERENCES contentNode (id),
  key TEXT NOT NULL CHECK (key <> ''),  -- `base`, and '/' and `variant` unless that is empty
  base TEXT NOT NULL CHECK (base <> ''),  -- the key of the flashcard or question
  variant TEXT NOT NULL,  -- '', 'r' for back to front, or 'c' and the number of a gap
  position INTEGER CHECK (position >= 0),  -- the number of the card in its activity; NULL if the activity has lost it
  item INTEGER NOT NULL CHECK (item >= 0),  -- the number of the flashcard or question in its activity
  front TEXT NOT NULL,  -- digests of the question and the answer, which recognise the card after an edit
  back TEXT NOT NULL,
  PRIMARY KEY (node, key)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX cardInOrder ON card (node, position) WHERE position IS NOT NULL;

-- The events of one card. `detail.key` is the card's key.
CREATE INDEX activityEventOfCard ON activityEvent (learner, node, detail ->> 'key') WHERE kind GLOB 'card*';

-- MARK: Projections

-- A learner's memory of a card. A card without events has no row.
CREATE TABLE cardMemory (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  key TEXT NOT NULL,
  course INTEGER NOT NULL,
  phase TEXT NOT NULL CHECK (phase IN ('new', 'learning', 'review', 'relearning')),
  step INTEGER NOT NULL,
  stability REAL,  -- days
  difficulty REAL,  -- 1 to 10
  intervalDays INTEGER NOT NULL,
  answers INTEGER NOT NULL,
  lapses INTEGER NOT NULL,
  lastAt INTEGER,
  lastDay INTEGER,  -- days since 1970-01-01 of the learner's time zone; a day begins at 4 in the morning
  due INTEGER NOT NULL,  -- a day
  stepEndsAt INTEGER,  -- the end of a step; NULL for a card that is due on a day
  isSuspended INTEGER NOT NULL CHECK (isSuspended IN (0, 1)),
  buriedUntil INTEGER,  -- a day
  shownFrom INTEGER NOT NULL,  -- the later of `due` and `buriedUntil`
  isPresent INTEGER NOT NULL CHECK (isPresent IN (0, 1)),  -- whether its activity is in a course and contains it
  isQueued INTEGER NOT NULL CHECK (isQueued IN (0, 1)),  -- present and not suspended
  orderedAt INTEGER NOT NULL,  -- of the last event
  PRIMARY KEY (learner, node, key)
) STRICT, WITHOUT ROWID;

-- The queue of a course by days, with all that its order depends on. SQLite reads only the index if that contains the column
-- of the condition too.
CREATE INDEX cardMemoryDue ON cardMemory (
  learner, course, shownFrom, lastDay, stability, phase, stepEndsAt, isQueued)
WHERE isQueued = 1;
CREATE INDEX cardMemoryStep ON cardMemory (learner, stepEndsAt, shownFrom, course, isQueued)
WHERE isQueued = 1 AND stepEndsAt IS NOT NULL;

-- The number of cards of an activity that have a row in `cardMemory` and are present.
CREATE TABLE cardsMet (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  cards INTEGER NOT NULL,
  PRIMARY KEY (learner, node)
) STRICT, WITHOUT ROWID;

-- The number of cards of each activity in a course.
CREATE TABLE cardTotal (
  node INTEGER PRIMARY KEY REFERENCES contentNode (id),
  cards INTEGER NOT NULL CHECK (cards > 0)
) STRICT;

-- The cards that a learner has made of passages and questions.
CREATE TABLE madeCard (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  key TEXT NOT NULL,
  front TEXT NOT NULL,
  back TEXT NOT NULL,
  PRIMARY KEY (learner, node, key)
) STRICT, WITHOUT ROWID;

-- The answers of each day.
CREATE TABLE reviewDay (
  learner INTEGER NOT NULL REFERENCES learner (id),
  day INTEGER NOT NULL,
  course INTEGER NOT NULL,
  answers INTEGER NOT NULL,
  new INTEGER NOT NULL,  -- first answers
  reviews INTEGER NOT NULL,  -- answers to cards in the phase 'review'
  passed INTEGER NOT NULL,  -- of those, the remembered ones
  milliseconds INTEGER NOT NULL,
  PRIMARY KEY (learner, day, course)
) STRICT, WITHOUT ROWID;

-- The memories of cards to which merges have added events. They are computed before they are read, because a long history
-- arrives in many merges. `counted` is the row ID of the last event that the memory and the counts of days contain.
CREATE TABLE staleMemory (
  learner INTEGER NOT NULL REFERENCES learner (id),
  node INTEGER NOT NULL REFERENCES contentNode (id),
  key TEXT NOT NULL,
  counted INTEGER NOT NULL,
  PRIMARY KEY (learner, node, key)
) STRICT, WITHOUT ROWID;
