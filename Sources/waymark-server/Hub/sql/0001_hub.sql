-- What a hub keeps on PostgreSQL: the logs and the facts of learners. Each key begins with the tenant and the learner, so
-- that a learner is of one shard; no row is written for two learners, no number comes from a sequence, and nothing refers to
-- another shard. One function is one operation.

CREATE TABLE waymark.learner (
  tenant text NOT NULL CHECK (tenant ~ '^[a-z0-9-]{1,40}$'),
  learner uuid NOT NULL,
  name text NOT NULL CHECK (name <> ''),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant, learner)
);

CREATE INDEX learner_by_name ON waymark.learner (tenant, name);

-- Who was erased, and does not come back.
CREATE TABLE waymark.erased_learner (
  tenant text NOT NULL,
  learner uuid NOT NULL,
  PRIMARY KEY (tenant, learner)
);

-- A token is kept as the SHA-256 of its secret.
CREATE TABLE waymark.token (
  tenant text NOT NULL,
  learner uuid NOT NULL,
  digest text NOT NULL CHECK (length(digest) = 64),
  scope text NOT NULL CHECK (scope IN ('learner', 'teacher', 'admin')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  PRIMARY KEY (tenant, learner, digest)
);

-- The nodes that a learner's logs and facts name, numbered for that learner; a parent before its children.
CREATE TABLE waymark.node (
  tenant text NOT NULL,
  learner uuid NOT NULL,
  number integer NOT NULL,
  course text NOT NULL,
  key text NOT NULL,
  parent integer,
  kind text NOT NULL,
  slug text NOT NULL,
  title text NOT NULL,
  PRIMARY KEY (tenant, learner, number),
  UNIQUE (tenant, learner, course, key)
);

CREATE TABLE waymark.session (
  tenant text NOT NULL,
  learner uuid NOT NULL,
  session uuid NOT NULL,
  name text NOT NULL,
  time_zone text NOT NULL,
  started_at timestamptz NOT NULL,
  last_input_at timestamptz NOT NULL,
  active_ms bigint NOT NULL,
  ended_at timestamptz,
  fork_of uuid,
  fork_after integer,
  -- The database that began the session. Only that one adds to it.
  replica text NOT NULL,
  -- How far its two logs go, with their last rows, so that comparing reads no log.
  steps integer NOT NULL DEFAULT 0,
  acts integer NOT NULL DEFAULT 0,
  last_step uuid,
  last_act uuid,
  is_left boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant, learner, session)
);

-- The first log. Its numbers in a session have no holes.
CREATE TABLE waymark.step (
  tenant text NOT NULL,
  learner uuid NOT NULL,
  session uuid NOT NULL,
  sequence integer NOT NULL CHECK (sequence > 0),
  uuid uuid NOT NULL,
  operation text NOT NULL,
  returns_to integer,
  look jsonb,
  look_node integer,
  animated boolean NOT NULL,
  cause text NOT NULL,
  from_kind text,
  from_node integer,
  to_kind text NOT NULL,
  to_node integer,
  stack integer[] NOT NULL,
  at timestamptz NOT NULL,
  left_at timestamptz,
  active_ms bigint,
  course_revision integer,
  PRIMARY KEY (tenant, learner, session, sequence),
  UNIQUE (tenant, learner, uuid)
);

-- The second log.
CREATE TABLE waymark.act (
  tenant text NOT NULL,
  learner uuid NOT NULL,
  session uuid NOT NULL,
  sequence integer NOT NULL CHECK (sequence > 0),
  uuid uuid NOT NULL,
  node integer NOT NULL,
  kind text NOT NULL,
  detail text,
  score double precision,
  at timestamptz NOT NULL,
  -- The place in the order of the learner's events, which the database that wrote the event has given.
  ordered_at bigint NOT NULL CHECK (ordered_at BETWEEN 0 AND 9007199254740991),
  PRIMARY KEY (tenant, learner, session, sequence),
  UNIQUE (tenant, learner, uuid)
);

-- Bookmarks, positions, unfinished quizzes, settings, and facts of kinds that only later leaves know; without a value where
-- they were taken away.
CREATE TABLE waymark.fact (
  tenant text NOT NULL,
  learner uuid NOT NULL,
  -- The kind, the keys of the course and of the node, and the name, with U+001F between them.
  key text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  node integer,
  name text,
  stamp bigint NOT NULL,
  replica text COLLATE "C" NOT NULL,
  value jsonb,
  PRIMARY KEY (tenant, learner, key)
);

-- What was read of passages, as ranges of characters.
CREATE TABLE waymark.passage (
  tenant text NOT NULL,
  learner uuid NOT NULL,
  key text COLLATE "C" NOT NULL,
  node integer NOT NULL,
  digest text NOT NULL,
  characters int8multirange NOT NULL,
  saved_at timestamptz NOT NULL,
  PRIMARY KEY (tenant, learner, key)
);

-- Where sessions were cut, and the spans of time of which facts were erased.
CREATE TABLE waymark.erased_from (
  tenant text NOT NULL,
  learner uuid NOT NULL,
  session uuid NOT NULL,
  step integer NOT NULL CHECK (step > 0),
  act integer NOT NULL CHECK (act > 0),
  PRIMARY KEY (tenant, learner, session)
);

CREATE TABLE waymark.erased_span (
  tenant text NOT NULL,
  learner uuid NOT NULL,
  since timestamptz NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (tenant, learner, since, until)
);

-- A time as messages write it: ISO 8601 in UTC with milliseconds.
CREATE FUNCTION waymark.written(moment timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Ranges as messages write them, `0-120 130-140`, and back.
CREATE FUNCTION waymark.ranges(characters text) RETURNS int8multirange LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(range_agg(int8range(ends[1]::bigint, ends[2]::bigint)), '{}')
  FROM regexp_matches(characters, '(?:^| )(\d{1,18})-(\d{1,18})(?= |$)', 'g') AS ends
  WHERE ends[1]::bigint < ends[2]::bigint
$$;

CREATE FUNCTION waymark.written(characters int8multirange) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(string_agg(lower(part) || '-' || upper(part), ' ' ORDER BY part), '') FROM unnest(characters) AS part
$$;

-- The number of a node of a message for the learner.
CREATE FUNCTION waymark.number(numbers integer[], place integer) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF place IS NOT NULL AND numbers[place + 1] IS NULL THEN
    RAISE 'it names a node that it does not list' USING ERRCODE = 'WM005';
  END IF;
  RETURN numbers[place + 1];
END $$;

-- Sees that a message is about the learner whose token it came with. Errors: WM001 erased, WM002 somebody else.
CREATE FUNCTION waymark.know(p_tenant text, p_learner uuid, p_spoken uuid, p_writes boolean) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM waymark.erased_learner WHERE tenant = p_tenant AND learner = p_spoken) THEN
    RAISE 'erased' USING ERRCODE = 'WM001';
  END IF;
  IF p_writes THEN
    PERFORM FROM waymark.learner WHERE tenant = p_tenant AND learner = p_learner FOR UPDATE;
  ELSE
    PERFORM FROM waymark.learner WHERE tenant = p_tenant AND learner = p_learner;
  END IF;
  IF NOT FOUND OR p_spoken IS DISTINCT FROM p_learner THEN
    RAISE 'somebody else' USING ERRCODE = 'WM002';
  END IF;
END $$;

CREATE FUNCTION waymark.greet(p_tenant text, p_learner uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('learner', learner, 'name', name, 'steps', (
    SELECT coalesce(sum(steps), 0) FROM waymark.session WHERE tenant = p_tenant AND learner = p_learner))
  FROM waymark.learner WHERE tenant = p_tenant AND learner = p_learner
$$;

-- Ends a session of which the rest is erased, with its last visit that is left.
CREATE FUNCTION waymark.end_cut(p_tenant text, p_learner uuid, p_session uuid) RETURNS void LANGUAGE sql AS $$
  WITH last AS (
    UPDATE waymark.step AS last SET left_at = coalesce(left_at, greatest(at, last_input_at)), active_ms = coalesce(
      last.active_ms, least(cut.active_ms, extract(epoch FROM greatest(at, last_input_at) - at) * 1000)::bigint)
    FROM waymark.session AS cut
    WHERE cut.tenant = p_tenant AND cut.learner = p_learner AND cut.session = p_session
      AND last.tenant = p_tenant AND last.learner = p_learner AND last.session = p_session AND last.sequence = cut.steps
    RETURNING left_at)
  UPDATE waymark.session SET active_ms = 0, is_left = true, ended_at = left_at, last_input_at = left_at
  FROM last WHERE tenant = p_tenant AND learner = p_learner AND session = p_session
$$;

-- Remembers what was erased elsewhere, and erases it.
CREATE FUNCTION waymark.erase(p_tenant text, p_learner uuid, p_erased jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  cut record;
  known waymark.session;
BEGIN
  FOR cut IN
    SELECT * FROM jsonb_to_recordset(p_erased->'sessions') AS item (session uuid, step integer, act integer)
    WHERE item.step >= 1 AND item.act >= 1
  LOOP
    INSERT INTO waymark.erased_from AS mark VALUES (p_tenant, p_learner, cut.session, cut.step, cut.act)
    ON CONFLICT (tenant, learner, session)
    DO UPDATE SET step = least(mark.step, excluded.step), act = least(mark.act, excluded.act);
    SELECT * INTO known FROM waymark.session
    WHERE tenant = p_tenant AND learner = p_learner AND session = cut.session;
    CONTINUE WHEN NOT FOUND OR known.steps < cut.step AND known.acts < cut.act;
    DELETE FROM waymark.act WHERE tenant = p_tenant AND learner = p_learner AND session = cut.session
      AND (sequence >= cut.act OR cut.step = 1);
    DELETE FROM waymark.step WHERE tenant = p_tenant AND learner = p_learner AND session = cut.session
      AND sequence >= cut.step;
    IF cut.step = 1 THEN
      DELETE FROM waymark.session WHERE tenant = p_tenant AND learner = p_learner AND session = cut.session;
      CONTINUE;
    END IF;
    UPDATE waymark.session AS rest SET
      steps = least(steps, cut.step - 1), acts = least(acts, cut.act - 1),
      last_step = (SELECT uuid FROM waymark.step WHERE tenant = p_tenant AND learner = p_learner
        AND session = cut.session ORDER BY sequence DESC LIMIT 1),
      last_act = (SELECT uuid FROM waymark.act WHERE tenant = p_tenant AND learner = p_learner
        AND session = cut.session ORDER BY sequence DESC LIMIT 1)
    WHERE tenant = p_tenant AND learner = p_learner AND session = cut.session;
    IF known.steps >= cut.step OR known.ended_at IS NULL THEN PERFORM waymark.end_cut(p_tenant, p_learner, cut.session); END IF;
  END LOOP;

  INSERT INTO waymark.erased_span
  SELECT p_tenant, p_learner, since, until
  FROM jsonb_to_recordset(p_erased->'spans') AS span (since timestamptz, until timestamptz)
  ON CONFLICT DO NOTHING;
  DELETE FROM waymark.fact USING jsonb_to_recordset(p_erased->'spans') AS span (since timestamptz, until timestamptz)
  WHERE tenant = p_tenant AND learner = p_learner AND (value->>'savedAt')::timestamptz BETWEEN since AND until;
  DELETE FROM waymark.passage USING jsonb_to_recordset(p_erased->'spans') AS span (since timestamptz, until timestamptz)
  WHERE tenant = p_tenant AND learner = p_learner AND saved_at BETWEEN since AND until;
END $$;

-- How far sessions are known; all of the learner's where none are named.
CREATE FUNCTION waymark.marks(p_tenant text, p_learner uuid, p_sessions uuid[] DEFAULT NULL) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'uuid', session, 'steps', steps, 'acts', acts, 'isLeft', is_left, 'isEnded', ended_at IS NOT NULL,
    'lastStep', last_step, 'lastAct', last_act)) ORDER BY started_at, session), '[]')
  FROM waymark.session
  WHERE tenant = p_tenant AND learner = p_learner AND (p_sessions IS NULL OR session = ANY (p_sessions))
$$;

-- How far everything of a learner is known, after what was erased elsewhere was erased here.
CREATE FUNCTION waymark.compare(p_tenant text, p_learner uuid, p_spoken uuid, p_erased jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  writes boolean := p_erased->'sessions' <> '[]' OR p_erased->'spans' <> '[]';
BEGIN
  PERFORM waymark.know(p_tenant, p_learner, p_spoken, writes);
  IF writes THEN PERFORM waymark.erase(p_tenant, p_learner, p_erased); END IF;
  RETURN jsonb_build_object(
    'sessions', waymark.marks(p_tenant, p_learner),
    'facts', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('key', key, 'stamp', stamp, 'replica', replica)
        ORDER BY stamp, replica, key), '[]')
      FROM waymark.fact WHERE tenant = p_tenant AND learner = p_learner)
    || (
      SELECT coalesce(jsonb_agg(jsonb_build_object(
        'key', key, 'stamp', round(extract(epoch FROM saved_at) * 1000)::bigint, 'replica', '',
        'characters', waymark.written(characters)) ORDER BY key), '[]')
      FROM waymark.passage WHERE tenant = p_tenant AND learner = p_learner),
    'erased', waymark.erased(p_tenant, p_learner));
END $$;

CREATE FUNCTION waymark.erased(p_tenant text, p_learner uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'sessions', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('session', session, 'step', step, 'act', act) ORDER BY session), '[]')
      FROM waymark.erased_from WHERE tenant = p_tenant AND learner = p_learner),
    'spans', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('since', waymark.written(since), 'until', waymark.written(until))
        ORDER BY since, until), '[]')
      FROM waymark.erased_span WHERE tenant = p_tenant AND learner = p_learner))
$$;

-- Numbers the nodes of a message for the learner, and keeps those that are new.
CREATE FUNCTION waymark.adopt(p_tenant text, p_learner uuid, p_nodes jsonb) RETURNS integer[] LANGUAGE plpgsql AS $$
DECLARE
  first integer;
  numbers integer[];
BEGIN
  SELECT coalesce(max(number) + 1, 0) INTO first FROM waymark.node WHERE tenant = p_tenant AND learner = p_learner;
  INSERT INTO waymark.node
  SELECT p_tenant, p_learner, first + row_number() OVER (ORDER BY place) - 1, new->>'course', new->>'key', NULL,
    new->>'kind', new->>'slug', new->>'title'
  FROM jsonb_array_elements(p_nodes) WITH ORDINALITY AS list (new, place)
  WHERE NOT EXISTS (
    SELECT FROM waymark.node
    WHERE tenant = p_tenant AND learner = p_learner AND course = new->>'course' AND key = new->>'key')
  ON CONFLICT DO NOTHING;
  numbers := ARRAY (
    SELECT number FROM jsonb_array_elements(p_nodes) WITH ORDINALITY AS list (new, place)
    JOIN waymark.node ON tenant = p_tenant AND learner = p_learner AND course = new->>'course' AND key = new->>'key'
    ORDER BY place);
  UPDATE waymark.node SET parent = waymark.number(numbers, (new->>'parent')::integer)
  FROM jsonb_array_elements(p_nodes) AS list (new)
  WHERE tenant = p_tenant AND learner = p_learner AND course = new->>'course' AND key = new->>'key'
    AND number >= first AND new ? 'parent';
  IF EXISTS (
    SELECT FROM waymark.node
    WHERE tenant = p_tenant AND learner = p_learner AND number >= first AND parent >= number)
  THEN
    RAISE 'a node stands before its parent' USING ERRCODE = 'WM005';
  END IF;
  RETURN numbers;
END $$;

-- Takes a part of a learner's record in, all of it or nothing. What is known already changes nothing.
-- Errors: those of `know`, WM003 fork (the message is the session), WM004 other content (the message is the name),
-- WM005 a contradiction.
CREATE FUNCTION waymark.push(p_tenant text, p_learner uuid, p_record jsonb, p_now timestamptz) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  numbers integer[];
  wrong uuid;
  has_hole boolean;
  cut uuid[];
BEGIN
  PERFORM waymark.know(p_tenant, p_learner, (p_record->>'uuid')::uuid, true);
  PERFORM waymark.erase(p_tenant, p_learner, p_record->'erased');
  numbers := waymark.adopt(p_tenant, p_learner, p_record->'nodes');

  INSERT INTO waymark.session
  SELECT p_tenant, p_learner, uuid, name, "timeZone", "startedAt", "lastInputAt", "activeMs", NULL, "forkOf", "forkAfter",
    replica
  FROM jsonb_to_recordset(p_record->'sessions') AS new (
    uuid uuid, name text, "timeZone" text, "startedAt" timestamptz, "lastInputAt" timestamptz, "activeMs" bigint,
    "forkOf" uuid, "forkAfter" integer, replica text)
  WHERE NOT EXISTS (
    SELECT FROM waymark.erased_from WHERE tenant = p_tenant AND learner = p_learner AND session = new.uuid AND step = 1)
  ON CONFLICT DO NOTHING;

  -- What is known under a number has to be the same.
  SELECT known.session INTO wrong
  FROM jsonb_to_recordset(p_record->'steps') AS new (uuid uuid, session uuid, sequence integer)
  JOIN waymark.step AS known USING (session, sequence)
  WHERE known.tenant = p_tenant AND known.learner = p_learner AND known.uuid <> new.uuid LIMIT 1;
  IF NOT FOUND THEN
    SELECT known.session INTO wrong
    FROM jsonb_to_recordset(p_record->'activities') AS new (uuid uuid, session uuid, sequence integer)
    JOIN waymark.act AS known USING (session, sequence)
    WHERE known.tenant = p_tenant AND known.learner = p_learner AND known.uuid <> new.uuid LIMIT 1;
  END IF;
  -- Nobody adds to a session that has ended, except a copy of the database that ended it.
  IF NOT FOUND THEN
    SELECT known.session INTO wrong
    FROM (
      SELECT session, sequence, NULL AS act FROM jsonb_to_recordset(p_record->'steps') AS new (session uuid, sequence integer)
      UNION ALL
      SELECT session, NULL, sequence
      FROM jsonb_to_recordset(p_record->'activities') AS new (session uuid, sequence integer)) AS new
    JOIN waymark.session AS known USING (session)
    LEFT JOIN waymark.erased_from AS mark USING (tenant, learner, session)
    WHERE known.tenant = p_tenant AND known.learner = p_learner AND ended_at IS NOT NULL
      AND (sequence > steps AND sequence < coalesce(mark.step, sequence + 1)
        OR new.act > acts AND new.act < coalesce(mark.act, new.act + 1)) LIMIT 1;
  END IF;
  IF FOUND THEN RAISE '%', wrong USING ERRCODE = 'WM003'; END IF;
  SELECT known.uuid INTO wrong
  FROM jsonb_to_recordset(p_record->'steps') AS new (
    session uuid, sequence integer, operation text, at timestamptz, "to" jsonb)
  JOIN waymark.step AS known USING (session, sequence)
  WHERE known.tenant = p_tenant AND known.learner = p_learner
    AND (known.operation, known.at, known.to_node)
      IS DISTINCT FROM (new.operation, new.at, waymark.number(numbers, (new."to"->>'node')::integer)) LIMIT 1;
  IF NOT FOUND THEN
    SELECT known.uuid INTO wrong
    FROM jsonb_to_recordset(p_record->'activities') AS new (
      session uuid, sequence integer, kind text, at timestamptz, "orderedAt" bigint, node integer)
    JOIN waymark.act AS known USING (session, sequence)
    WHERE known.tenant = p_tenant AND known.learner = p_learner
      AND (known.kind, known.at, known.node, known.ordered_at)
        IS DISTINCT FROM (new.kind, new.at, waymark.number(numbers, new.node), new."orderedAt") LIMIT 1;
  END IF;
  IF FOUND THEN RAISE '%', wrong USING ERRCODE = 'WM004'; END IF;

  -- The end of a visit is set once.
  WITH over AS (
    UPDATE waymark.step AS known SET left_at = new."leftAt", active_ms = new."activeMs"
    FROM jsonb_to_recordset(p_record->'steps') AS new (
      session uuid, sequence integer, "leftAt" timestamptz, "activeMs" bigint)
    WHERE known.tenant = p_tenant AND known.learner = p_learner AND known.session = new.session
      AND known.sequence = new.sequence AND known.left_at IS NULL AND new."leftAt" IS NOT NULL
    RETURNING known.session, known.uuid)
  UPDATE waymark.session AS known SET is_left = true FROM over
  WHERE known.tenant = p_tenant AND known.learner = p_learner AND known.session = over.session
    AND known.last_step = over.uuid;

  WITH added AS (
    INSERT INTO waymark.step
    SELECT p_tenant, p_learner, new.session, new.sequence, new.uuid, new.operation, new."returnsTo",
      new.transition - 'node', waymark.number(numbers, (new.transition->>'node')::integer), new.animated, new.cause,
      new."from"->>'kind', waymark.number(numbers, (new."from"->>'node')::integer), new."to"->>'kind',
      waymark.number(numbers, (new."to"->>'node')::integer),
      ARRAY (
        SELECT waymark.number(numbers, place) FROM unnest(new.stack) WITH ORDINALITY AS row (place, position)
        ORDER BY position),
      new.at, new."leftAt", new."activeMs", new."courseRevision"
    FROM jsonb_to_recordset(p_record->'steps') AS new (
      uuid uuid, session uuid, sequence integer, operation text, "returnsTo" integer, transition jsonb,
      animated boolean, cause text, "from" jsonb, "to" jsonb, stack integer[], at timestamptz, "leftAt" timestamptz,
      "activeMs" bigint, "courseRevision" integer)
    JOIN waymark.session AS known
      ON known.tenant = p_tenant AND known.learner = p_learner AND known.session = new.session
    LEFT JOIN waymark.erased_from AS mark
      ON mark.tenant = p_tenant AND mark.learner = p_learner AND mark.session = new.session
    WHERE new.sequence > known.steps AND (mark.step IS NULL OR new.sequence < mark.step)
    RETURNING session, sequence, uuid, left_at),
  growth AS (
    SELECT session, min(sequence) AS first, max(sequence) AS last, count(*) AS count,
      (array_agg(uuid ORDER BY sequence DESC))[1] AS last_step,
      (array_agg(left_at IS NOT NULL ORDER BY sequence DESC))[1] AS is_left
    FROM added GROUP BY session),
  grown AS (
    UPDATE waymark.session AS known
    SET steps = growth.last, last_step = growth.last_step, is_left = growth.is_left
    FROM growth
    WHERE known.tenant = p_tenant AND known.learner = p_learner AND known.session = growth.session
      AND known.steps = growth.first - 1 AND growth.last - growth.first + 1 = growth.count
    RETURNING known.session)
  SELECT (SELECT count(*) FROM growth) <> (SELECT count(*) FROM grown) INTO has_hole;
  IF has_hole THEN RAISE 'steps of a session are missing' USING ERRCODE = 'WM005'; END IF;

  WITH added AS (
    INSERT INTO waymark.act
    SELECT p_tenant, p_learner, new.session, new.sequence, new.uuid, waymark.number(numbers, new.node), new.kind,
      new.detail, new.score, new.at, new."orderedAt"
    FROM jsonb_to_recordset(p_record->'activities') AS new (
      uuid uuid, session uuid, sequence integer, node integer, kind text, detail text, score double precision,
      at timestamptz, "orderedAt" bigint)
    JOIN waymark.session AS known
      ON known.tenant = p_tenant AND known.learner = p_learner AND known.session = new.session
    LEFT JOIN waymark.erased_from AS mark
      ON mark.tenant = p_tenant AND mark.learner = p_learner AND mark.session = new.session
    WHERE new.sequence > known.acts AND (mark.act IS NULL OR new.sequence < mark.act)
    RETURNING session, sequence, uuid),
  growth AS (
    SELECT session, min(sequence) AS first, max(sequence) AS last, count(*) AS count,
      (array_agg(uuid ORDER BY sequence DESC))[1] AS last_act
    FROM added GROUP BY session),
  grown AS (
    UPDATE waymark.session AS known SET acts = growth.last, last_act = growth.last_act
    FROM growth
    WHERE known.tenant = p_tenant AND known.learner = p_learner AND known.session = growth.session
      AND known.acts = growth.first - 1 AND growth.last - growth.first + 1 = growth.count
    RETURNING known.session)
  SELECT (SELECT count(*) FROM growth) <> (SELECT count(*) FROM grown) INTO has_hole;
  IF has_hole THEN RAISE 'things done in a session are missing' USING ERRCODE = 'WM005'; END IF;

  -- Sessions of which the message still has what was erased.
  cut := ARRAY (
    SELECT mark.session FROM waymark.erased_from AS mark
    WHERE mark.tenant = p_tenant AND mark.learner = p_learner AND (
      EXISTS (SELECT FROM jsonb_to_recordset(p_record->'steps') AS new (session uuid, sequence integer)
        WHERE new.session = mark.session AND new.sequence >= mark.step)
      OR EXISTS (SELECT FROM jsonb_to_recordset(p_record->'activities') AS new (session uuid, sequence integer)
        WHERE new.session = mark.session AND new.sequence >= mark.act)));
  PERFORM waymark.end_cut(p_tenant, p_learner, session) FROM waymark.session
  WHERE tenant = p_tenant AND learner = p_learner AND session = ANY (cut) AND ended_at IS NULL;
  UPDATE waymark.session AS known
  -- A record that ends before the last known visit does not know how the session ended.
  SET last_input_at = greatest(last_input_at, new."lastInputAt"),
    ended_at = CASE WHEN (is_left OR steps = 0) AND new."endedAt" IS NOT NULL THEN greatest(started_at, new."endedAt") END,
    active_ms = CASE WHEN new."lastInputAt" < last_input_at THEN known.active_ms ELSE new."activeMs" END
  FROM jsonb_to_recordset(p_record->'sessions') AS new (
    uuid uuid, "lastInputAt" timestamptz, "activeMs" bigint, "endedAt" timestamptz)
  WHERE known.tenant = p_tenant AND known.learner = p_learner AND known.session = new.uuid AND ended_at IS NULL
    AND NOT known.session = ANY (cut);

  RETURN waymark.push_facts(p_tenant, p_learner, p_record, numbers, p_now) || jsonb_build_object(
    'sessions', waymark.marks(p_tenant, p_learner, ARRAY(
      SELECT (value->>'uuid')::uuid FROM jsonb_array_elements(p_record->'sessions'))));
END $$;

-- Of two changes of a fact the later one holds; what was read comes together.
-- Returns the changes that say a time more than five minutes ahead, with the time for which they are taken.
CREATE FUNCTION waymark.push_facts(
  p_tenant text, p_learner uuid, p_record jsonb, numbers integer[], p_now timestamptz) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  -- Five minutes ahead: milliseconds above sixteen bits that count within one.
  latest bigint := (round(extract(epoch FROM p_now) * 1000)::bigint + 300000) * 65536;
  limited jsonb;
BEGIN
  WITH change AS (
    SELECT new.kind, waymark.number(numbers, new.node) AS node, new.name, new.stamp, new.replica,
      least(greatest(0, new.stamp), latest) AS taken,
      concat_ws(E'\u001F', new.kind, coalesce(p_record->'nodes'->new.node->>'course', ''),
        coalesce(p_record->'nodes'->new.node->>'key', ''), coalesce(new.name, '')) AS key,
      CASE new.kind
        WHEN 'setting' THEN p_record->'settings'->new.name
        WHEN 'bookmark' THEN (
          SELECT value - 'node' FROM jsonb_array_elements(p_record->'bookmarks') WHERE value->'node' = to_jsonb(new.node)
          LIMIT 1)
        WHEN 'position' THEN (
          SELECT value - 'node' FROM jsonb_array_elements(p_record->'positions') WHERE value->'node' = to_jsonb(new.node)
          LIMIT 1)
        WHEN 'quiz' THEN (
          SELECT value - 'node' FROM jsonb_array_elements(p_record->'quizzes') WHERE value->'node' = to_jsonb(new.node)
          LIMIT 1)
        ELSE (
          SELECT value - 'kind' - 'node' - 'name' FROM jsonb_array_elements(p_record->'others')
          WHERE value->>'kind' = new.kind AND value->'node' IS NOT DISTINCT FROM to_jsonb(new.node)
            AND value->>'name' IS NOT DISTINCT FROM new.name
          LIMIT 1)
      END AS value
    FROM jsonb_to_recordset(p_record->'changes') AS new (
      kind text, node integer, name text, stamp bigint, replica text)),
  lasting AS (
    SELECT * FROM change
    WHERE NOT EXISTS (
      SELECT FROM waymark.erased_span AS span
      WHERE span.tenant = p_tenant AND span.learner = p_learner
        AND (value->>'savedAt')::timestamptz BETWEEN span.since AND span.until)),
  kept AS (
    INSERT INTO waymark.fact AS known
    SELECT DISTINCT ON (key) p_tenant, p_learner, key, kind, node, name, taken, replica, value
    FROM lasting ORDER BY key, taken DESC, replica COLLATE "C" DESC
    ON CONFLICT (tenant, learner, key) DO UPDATE
    SET stamp = excluded.stamp, replica = excluded.replica, value = excluded.value
    WHERE (known.stamp, known.replica) < (excluded.stamp, excluded.replica))
  SELECT coalesce(jsonb_agg(jsonb_build_object('key', key, 'stamp', taken, 'replica', replica)), '[]') INTO limited
  FROM lasting WHERE taken <> stamp;

  INSERT INTO waymark.passage AS known
  SELECT p_tenant, p_learner,
    concat_ws(E'\u001F', 'passage', p_record->'nodes'->new.node->>'course', p_record->'nodes'->new.node->>'key', new.digest),
    waymark.number(numbers, new.node), new.digest, waymark.ranges(new.characters), new."savedAt"
  FROM jsonb_to_recordset(p_record->'passages') AS new (
    node integer, digest text, characters text, "savedAt" timestamptz)
  WHERE NOT EXISTS (
    SELECT FROM waymark.erased_span AS span
    WHERE span.tenant = p_tenant AND span.learner = p_learner AND new."savedAt" BETWEEN span.since AND span.until)
  ON CONFLICT (tenant, learner, key) DO UPDATE
  SET characters = known.characters + excluded.characters, saved_at = greatest(known.saved_at, excluded.saved_at);
  RETURN jsonb_build_object('limited', limited);
END $$;

-- Gives as much of a part of a learner's record as has so many rows, and says what is left of the part.
CREATE FUNCTION waymark.pull(p_tenant text, p_learner uuid, p_spoken uuid, p_part jsonb, p_limit integer) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
  room integer := p_limit;
  wish record;
  known waymark.session;
  taken uuid[] := '{}';
  first_step integer[] := '{}';
  last_step integer[] := '{}';
  first_act integer[] := '{}';
  last_act integer[] := '{}';
  steps integer;
  acts integer;
  left_over jsonb := '[]';
  is_cut boolean := false;
  keys text[] := '{}';
  record jsonb;
BEGIN
  PERFORM waymark.know(p_tenant, p_learner, p_spoken, false);
  FOR wish IN
    SELECT (value->>'uuid')::uuid AS session, (value->>'steps')::integer AS steps, (value->>'acts')::integer AS acts, value
    FROM jsonb_array_elements(p_part->'sessions') WITH ORDINALITY ORDER BY ordinality
  LOOP
    IF room <= 1 OR is_cut THEN
      left_over := left_over || wish.value;
      CONTINUE;
    END IF;
    SELECT * INTO known FROM waymark.session
    WHERE tenant = p_tenant AND learner = p_learner AND session = wish.session;
    CONTINUE WHEN NOT FOUND;
    -- The last that is known comes too.
    steps := least(room, greatest(0, known.steps - greatest(1, wish.steps) + 1));
    room := room - steps;
    acts := least(room, greatest(0, known.acts - greatest(1, wish.acts) + 1));
    room := room - acts;
    taken := taken || wish.session;
    first_step := first_step || greatest(1, wish.steps);
    last_step := last_step || greatest(1, wish.steps) + steps - 1;
    first_act := first_act || greatest(1, wish.acts);
    last_act := last_act || greatest(1, wish.acts) + acts - 1;
    steps := CASE WHEN steps > 0 THEN greatest(1, wish.steps) + steps - 1 ELSE wish.steps END;
    acts := CASE WHEN acts > 0 THEN greatest(1, wish.acts) + acts - 1 ELSE wish.acts END;
    is_cut := steps < known.steps OR acts < known.acts;
    IF is_cut THEN
      left_over := left_over || jsonb_build_object('uuid', wish.session, 'steps', steps, 'acts', acts);
    END IF;
  END LOOP;
  IF left_over = '[]' AND room > 0 THEN
    keys := ARRAY (
      SELECT value FROM jsonb_array_elements_text(p_part->'facts') WITH ORDINALITY ORDER BY ordinality LIMIT room);
  END IF;

  WITH RECURSIVE part AS (
    SELECT * FROM unnest(taken, first_step, last_step, first_act, last_act)
      WITH ORDINALITY AS row (session, first_step, last_step, first_act, last_act, place)),
  step AS (
    SELECT step.*, place FROM part JOIN waymark.step
      ON tenant = p_tenant AND learner = p_learner AND step.session = part.session
        AND sequence BETWEEN part.first_step AND part.last_step),
  act AS (
    SELECT act.*, place FROM part JOIN waymark.act
      ON tenant = p_tenant AND learner = p_learner AND act.session = part.session
        AND sequence BETWEEN part.first_act AND part.last_act),
  fact AS (SELECT * FROM waymark.fact WHERE tenant = p_tenant AND learner = p_learner AND key = ANY (keys)),
  passage AS (SELECT * FROM waymark.passage WHERE tenant = p_tenant AND learner = p_learner AND key = ANY (keys)),
  tree (number, parent) AS (
    SELECT node.number, node.parent FROM waymark.node
    WHERE tenant = p_tenant AND learner = p_learner AND node.number IN (
      SELECT to_node FROM step UNION SELECT from_node FROM step UNION SELECT look_node FROM step
      UNION SELECT unnest(stack) FROM step UNION SELECT act.node FROM act UNION SELECT fact.node FROM fact
      UNION SELECT passage.node FROM passage)
    UNION
    SELECT above.number, above.parent FROM tree JOIN waymark.node AS above
      ON above.tenant = p_tenant AND above.learner = p_learner AND above.number = tree.parent),
  -- Parents have lower numbers than their children, here and there.
  list AS MATERIALIZED (SELECT number, row_number() OVER (ORDER BY number) - 1 AS place FROM tree)
  SELECT jsonb_build_object(
    'uuid', p_learner, 'name', learner.name, 'createdAt', waymark.written(learner.created_at),
    'erased', waymark.erased(p_tenant, p_learner),
    'nodes', (
      SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'course', node.course, 'key', node.key, 'parent', above.place, 'kind', node.kind, 'slug', node.slug,
        'title', node.title)) ORDER BY list.place), '[]')
      FROM list JOIN waymark.node ON tenant = p_tenant AND learner = p_learner AND node.number = list.number
      LEFT JOIN list AS above ON above.number = node.parent),
    'sessions', (
      SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'uuid', session.session, 'name', session.name, 'timeZone', time_zone, 'startedAt', waymark.written(started_at),
        'lastInputAt', waymark.written(last_input_at), 'activeMs', active_ms,
        'endedAt', CASE WHEN part.last_step >= session.steps AND part.last_act >= session.acts
          THEN waymark.written(ended_at) END,
        'replica', replica, 'forkOf', fork_of, 'forkAfter', fork_after)) ORDER BY place), '[]')
      FROM part JOIN waymark.session
        ON tenant = p_tenant AND learner = p_learner AND session.session = part.session),
    'steps', (
      SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'uuid', uuid, 'session', session, 'sequence', sequence, 'operation', operation, 'returnsTo', returns_to,
        'transition', look || jsonb_build_object('node', (SELECT place FROM list WHERE number = look_node)),
        'animated', animated, 'cause', cause,
        'from', CASE WHEN from_kind IS NOT NULL THEN jsonb_build_object(
          'kind', from_kind, 'node', (SELECT place FROM list WHERE number = from_node)) END,
        'to', jsonb_build_object('kind', to_kind, 'node', (SELECT place FROM list WHERE number = to_node)),
        'stack', ARRAY (
          SELECT list.place FROM unnest(stack) WITH ORDINALITY AS entry (number, position)
          JOIN list USING (number) ORDER BY position),
        'at', waymark.written(at), 'leftAt', waymark.written(left_at), 'activeMs', active_ms,
        'courseRevision', course_revision)) ORDER BY place, sequence), '[]')
      FROM step),
    'activities', (
      SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'uuid', uuid, 'session', session, 'sequence', sequence,
        'node', (SELECT list.place FROM list WHERE number = act.node), 'kind', kind, 'detail', detail, 'score', score,
        'at', waymark.written(at), 'orderedAt', ordered_at)) ORDER BY place, sequence), '[]')
      FROM act),
    'bookmarks', (
      SELECT coalesce(jsonb_agg(value || jsonb_build_object('node', place)), '[]')
      FROM fact JOIN list ON number = node WHERE kind = 'bookmark' AND value IS NOT NULL),
    'positions', (
      SELECT coalesce(jsonb_agg(value || jsonb_build_object('node', place)), '[]')
      FROM fact JOIN list ON number = node WHERE kind = 'position' AND value IS NOT NULL),
    'quizzes', (
      SELECT coalesce(jsonb_agg(value || jsonb_build_object('node', place)), '[]')
      FROM fact JOIN list ON number = node WHERE kind = 'quiz' AND value IS NOT NULL),
    'settings', (
      SELECT coalesce(jsonb_object_agg(name, value), '{}') FROM fact WHERE kind = 'setting' AND value IS NOT NULL),
    'passages', (
      SELECT coalesce(jsonb_agg(jsonb_build_object(
        'node', place, 'digest', digest, 'characters', waymark.written(characters),
        'savedAt', waymark.written(saved_at))), '[]')
      FROM passage JOIN list ON number = node),
    'changes', (
      SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'kind', kind, 'node', place, 'name', name, 'stamp', stamp, 'replica', replica)) ORDER BY stamp, replica, key), '[]')
      FROM fact LEFT JOIN list ON number = node))
    -- Without this member where there are none.
    || jsonb_strip_nulls(jsonb_build_object('others', (
      SELECT jsonb_agg(value || jsonb_build_object('kind', kind, 'node', place, 'name', name) ORDER BY key)
      FROM fact LEFT JOIN list ON number = node
      WHERE kind NOT IN ('bookmark', 'position', 'quiz', 'setting') AND value IS NOT NULL)))
  INTO record FROM waymark.learner WHERE tenant = p_tenant AND learner = p_learner;

  RETURN jsonb_build_object('record', record, 'rest', jsonb_build_object(
    'sessions', left_over, 'facts', (
      SELECT coalesce(jsonb_agg(value ORDER BY ordinality), '[]')
      FROM jsonb_array_elements_text(p_part->'facts') WITH ORDINALITY WHERE ordinality > cardinality(keys))));
END $$;

-- The names of what happened in a session, in their order.
CREATE FUNCTION waymark.names(p_tenant text, p_learner uuid, p_spoken uuid, p_session uuid) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM waymark.know(p_tenant, p_learner, p_spoken, false);
  RETURN jsonb_build_object(
    'steps', ARRAY (SELECT uuid FROM waymark.step
      WHERE tenant = p_tenant AND learner = p_learner AND session = p_session ORDER BY sequence),
    'acts', ARRAY (SELECT uuid FROM waymark.act
      WHERE tenant = p_tenant AND learner = p_learner AND session = p_session ORDER BY sequence));
END $$;

-- Erases everything of a learner, and their tokens. They do not come back.
CREATE FUNCTION waymark.erase_learner(p_tenant text, p_learner uuid) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  name text;
  steps bigint;
  acts bigint;
BEGIN
  DELETE FROM waymark.learner WHERE tenant = p_tenant AND learner = p_learner RETURNING learner.name INTO name;
  IF NOT FOUND THEN RAISE 'somebody else' USING ERRCODE = 'WM002'; END IF;
  INSERT INTO waymark.erased_learner VALUES (p_tenant, p_learner) ON CONFLICT DO NOTHING;
  DELETE FROM waymark.step WHERE tenant = p_tenant AND learner = p_learner;
  GET DIAGNOSTICS steps = ROW_COUNT;
  DELETE FROM waymark.act WHERE tenant = p_tenant AND learner = p_learner;
  GET DIAGNOSTICS acts = ROW_COUNT;
  DELETE FROM waymark.session WHERE tenant = p_tenant AND learner = p_learner;
  DELETE FROM waymark.fact WHERE tenant = p_tenant AND learner = p_learner;
  DELETE FROM waymark.passage WHERE tenant = p_tenant AND learner = p_learner;
  DELETE FROM waymark.erased_from WHERE tenant = p_tenant AND learner = p_learner;
  DELETE FROM waymark.erased_span WHERE tenant = p_tenant AND learner = p_learner;
  DELETE FROM waymark.node WHERE tenant = p_tenant AND learner = p_learner;
  DELETE FROM waymark.token WHERE tenant = p_tenant AND learner = p_learner;
  RETURN jsonb_build_object('learner', name, 'steps', steps, 'activities', acts);
END $$;

-- The learner of a name in a tenant, who is made where there is none.
CREATE FUNCTION waymark.learner_named(p_tenant text, p_name text, p_new uuid, p_now timestamptz) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
  known uuid;
BEGIN
  -- Two that are made at once would be two people.
  PERFORM pg_advisory_xact_lock(hashtextextended(p_tenant || E'\u001F' || p_name, 0));
  SELECT learner INTO known FROM waymark.learner WHERE tenant = p_tenant AND name = p_name ORDER BY learner LIMIT 1;
  IF known IS NULL THEN
    INSERT INTO waymark.learner VALUES (p_tenant, p_new, p_name, p_now);
    known := p_new;
  END IF;
  RETURN known;
END $$;

CREATE FUNCTION waymark.add_token(
  p_tenant text, p_learner uuid, p_digest text, p_scope text, p_now timestamptz, p_expires timestamptz) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO waymark.token VALUES (p_tenant, p_learner, p_digest, p_scope, p_now, p_expires)
$$;

-- A token that is worth something now; null where it is not.
CREATE FUNCTION waymark.token(p_tenant text, p_learner uuid, p_digest text, p_now timestamptz) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('digest', digest, 'scope', scope, 'createdAt', waymark.written(created_at))
  FROM waymark.token
  WHERE tenant = p_tenant AND learner = p_learner AND digest = p_digest AND revoked_at IS NULL
    AND (expires_at IS NULL OR p_now < expires_at)
$$;

CREATE FUNCTION waymark.tokens(p_tenant text) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'digest', digest, 'learner', name, 'scope', scope, 'createdAt', waymark.written(token.created_at),
    'expiresAt', waymark.written(expires_at), 'revokedAt', waymark.written(revoked_at)))
    ORDER BY token.created_at, digest), '[]')
  FROM waymark.token JOIN waymark.learner USING (tenant, learner) WHERE tenant = p_tenant
$$;

-- Takes the tokens back whose digest begins so, and says how many there were.
CREATE FUNCTION waymark.revoke_token(p_tenant text, p_beginning text, p_now timestamptz) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  count integer;
BEGIN
  UPDATE waymark.token SET revoked_at = p_now
  WHERE tenant = p_tenant AND digest LIKE p_beginning || '%' AND revoked_at IS NULL;
  GET DIAGNOSTICS count = ROW_COUNT;
  RETURN count;
END $$;
