-- The tables and functions of a hub on PostgreSQL.
--
-- The primary keys begin with the tenant and the learner, so that the learners can be divided between several databases. There
-- are no sequences, no triggers, and no references between learners. Each function that the server calls is one transaction.
-- Functions with p_learner run on the database of this learner. Functions that return a set for a tenant run on all databases
-- (see proxy.sql).
--
-- Errors: WM001 the learner was erased; WM002 the message is about another learner; WM003 another database has continued
-- this session; WM004 the stored event with this UUID has other content; WM005 the message contradicts the log; WM006 the
-- token is not valid.

CREATE TABLE waymark.learner (
  tenant text NOT NULL CHECK (tenant ~ '^[a-z0-9-]{1,40}$'), learner uuid NOT NULL,
  name text NOT NULL CHECK (name <> ''), created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant, learner)
);
CREATE INDEX learner_by_name ON waymark.learner (tenant, name);

-- The erased learners. A later message must not restore them.
CREATE TABLE waymark.erased_learner (tenant text NOT NULL, learner uuid NOT NULL, PRIMARY KEY (tenant, learner));

-- Access tokens. `digest` is the SHA-256 of the secret.
CREATE TABLE waymark.token (
  tenant text NOT NULL, learner uuid NOT NULL, digest text NOT NULL CHECK (length(digest) = 64),
  scope text NOT NULL CHECK (scope IN ('learner', 'teacher', 'admin')),
  created_at timestamptz NOT NULL, expires_at timestamptz, revoked_at timestamptz,
  PRIMARY KEY (tenant, learner, digest)
);
CREATE INDEX token_by_digest ON waymark.token (tenant, digest);

-- Classes. Each database contains all classes, but only the memberships of its own learners.
CREATE TABLE waymark.class (
  tenant text NOT NULL CHECK (tenant ~ '^[a-z0-9-]{1,40}$'), name text COLLATE "C" NOT NULL CHECK (name <> ''),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant, name)
);
CREATE TABLE waymark.member (
  tenant text NOT NULL, learner uuid NOT NULL, class text COLLATE "C" NOT NULL, joined_at timestamptz NOT NULL,
  PRIMARY KEY (tenant, learner, class)
);
CREATE INDEX member_of_class ON waymark.member (tenant, class);

-- The audit: erasures, changes of tokens, and reads of learners' data by commands. Learners are identified by UUID, so that no
-- name remains after an erasure. The UUID that contains only zeros means all learners.
CREATE TABLE waymark.audit (
  tenant text NOT NULL, learner uuid NOT NULL, number uuid NOT NULL DEFAULT gen_random_uuid(),
  entry jsonb NOT NULL,
  PRIMARY KEY (tenant, learner, number)
);

-- The places to which events and facts refer. The server computes the number of a place from the keys of its course and of the
-- place, so that no query is necessary. `body` is the node as in a message.
CREATE TABLE waymark.node (
  tenant text NOT NULL, learner uuid NOT NULL, number bigint NOT NULL, body jsonb NOT NULL,
  PRIMARY KEY (tenant, learner, number)
);

-- Sessions. `body` is the session as in a message. The other columns contain the lengths and the last events of its logs, so
-- that a comparison does not read the logs. `left_at` is the end of the last visit, or NULL if it is not known yet.
CREATE TABLE waymark.session (
  tenant text NOT NULL, learner uuid NOT NULL, session uuid NOT NULL, body jsonb NOT NULL,
  steps integer NOT NULL DEFAULT 0, acts integer NOT NULL DEFAULT 0, last_step uuid, last_act uuid,
  left_at text,
  PRIMARY KEY (tenant, learner, session)
);

-- The logs of navigation events (`step`) and of activity events (`act`). In each session, the numbers of a log have no gaps.
-- `body` is the event as in a message, without its session, number and UUID.
CREATE TABLE waymark.event (
  tenant text NOT NULL, learner uuid NOT NULL, session uuid NOT NULL,
  log text COLLATE "C" NOT NULL CHECK (log IN ('step', 'act')), number integer NOT NULL CHECK (number > 0),
  uuid uuid NOT NULL, body jsonb NOT NULL CHECK ((body->>'orderedAt')::bigint BETWEEN 0 AND 9007199254740991),
  PRIMARY KEY (tenant, learner, session, log, number), UNIQUE (tenant, learner, uuid)
);

-- Facts: the last change of each bookmark, reading position, quiz and setting, and of kinds that only later versions know, and
-- the passages that were read. `key` consists of the kind, the keys of the course and of the node, and the name, separated by
-- U+001F. `list` is the list of a message that contains the fact, and `value` is its element. Both are NULL if the fact was
-- removed.
CREATE TABLE waymark.fact (
  tenant text NOT NULL, learner uuid NOT NULL, key text COLLATE "C" NOT NULL,
  kind text NOT NULL, node bigint, name text, stamp bigint NOT NULL, replica text COLLATE "C" NOT NULL,
  list text, value jsonb,
  PRIMARY KEY (tenant, learner, key)
);

-- Erasures: for each session, the first erased number in each log; and the periods in which all facts were erased.
CREATE TABLE waymark.erased_from (
  tenant text NOT NULL, learner uuid NOT NULL, session uuid NOT NULL,
  step integer NOT NULL CHECK (step > 0), act integer NOT NULL CHECK (act > 0),
  PRIMARY KEY (tenant, learner, session)
);
CREATE TABLE waymark.erased_span (
  tenant text NOT NULL, learner uuid NOT NULL, since timestamptz NOT NULL, until timestamptz NOT NULL,
  PRIMARY KEY (tenant, learner, since, until)
);

-- Returns whether the migration with this name was applied.
CREATE FUNCTION waymark.has_migration(p_name text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM waymark.migration WHERE name = p_name)
$$;

-- Checks that the database can be written: inserts a row of several pages, which requires free disk space, and deletes it.
CREATE FUNCTION waymark.check_writing() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO waymark.migration (name, digest)
  SELECT 'check', string_agg(gen_random_uuid()::text, '') FROM generate_series(1, 2000);
  DELETE FROM waymark.migration WHERE name = 'check';
END $$;

-- Locks a learner until the end of the transaction. If `p_beginning` is not NULL, also checks that the token whose digest begins
-- with it is valid, and locks the token, so that its revocation waits.
CREATE FUNCTION waymark.lock(p_tenant text, p_learner uuid, p_beginning text, p_now timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM waymark.learner WHERE tenant = p_tenant AND learner = p_learner FOR UPDATE;
  PERFORM FROM waymark.token WHERE tenant = p_tenant AND learner = p_learner AND starts_with(digest, p_beginning)
    AND revoked_at IS NULL AND (expires_at IS NULL OR p_now < expires_at) FOR SHARE;
  IF NOT FOUND AND p_beginning IS NOT NULL THEN RAISE 'no valid token' USING ERRCODE = 'WM006'; END IF;
END $$;

-- Checks that the learner of a message is the learner of its token.
CREATE FUNCTION waymark.identify(p_tenant text, p_learner uuid, p_named uuid) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF EXISTS (SELECT FROM waymark.erased_learner WHERE tenant = p_tenant AND learner = p_named) THEN
    RAISE 'erased' USING ERRCODE = 'WM001';
  END IF;
  PERFORM FROM waymark.learner WHERE tenant = p_tenant AND learner = p_learner AND learner = p_named;
  IF NOT FOUND THEN RAISE 'another learner' USING ERRCODE = 'WM002'; END IF;
END $$;

CREATE FUNCTION waymark.note_audit(p_tenant text, p_learner uuid, p_entry jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO waymark.audit (tenant, learner, entry) VALUES (p_tenant, p_learner, p_entry)
$$;

CREATE FUNCTION waymark.audit(p_tenant text) RETURNS SETOF jsonb LANGUAGE sql STABLE AS $$
  SELECT entry || jsonb_strip_nulls(jsonb_build_object('reader', actor.name, 'learner',
    coalesce(learner.name, nullif(audit.learner, '00000000-0000-0000-0000-000000000000')::text)))
  FROM waymark.audit LEFT JOIN waymark.learner USING (tenant, learner) LEFT JOIN waymark.learner AS actor
    ON entry->>'token' <> '0' AND actor.tenant = p_tenant AND actor.learner::text = entry->>'reader'
  WHERE audit.tenant = p_tenant
$$;

-- Adds a token, or revokes it if it is stored already and `p_revoked` is not NULL. Returns NULL if nothing was changed. Adds
-- `p_entry` to the audit unless it is NULL.
CREATE FUNCTION waymark.add_token(
  p_tenant text, p_learner uuid, p_digest text, p_scope text, p_created timestamptz, p_expires timestamptz,
  p_revoked timestamptz, p_entry jsonb) RETURNS boolean LANGUAGE sql AS $$
  INSERT INTO waymark.audit (tenant, learner, entry) SELECT p_tenant, p_learner, p_entry WHERE p_entry IS NOT NULL;
  INSERT INTO waymark.token AS known
  VALUES (p_tenant, p_learner, p_digest, p_scope, p_created, p_expires, p_revoked)
  ON CONFLICT (tenant, learner, digest) DO UPDATE SET revoked_at = excluded.revoked_at
  WHERE known.revoked_at IS NULL AND excluded.revoked_at IS NOT NULL RETURNING true
$$;

-- Revokes the tokens whose digest begins with `p_beginning`, and returns their learners.
CREATE FUNCTION waymark.revoke_token(p_tenant text, p_beginning text, p_now timestamptz, p_entry jsonb) RETURNS SETOF uuid
LANGUAGE sql AS $$
  WITH revoked AS (
    UPDATE waymark.token SET revoked_at = p_now
    WHERE tenant = p_tenant AND starts_with(digest, p_beginning) AND revoked_at IS NULL RETURNING learner)
  INSERT INTO waymark.audit (tenant, learner, entry) SELECT p_tenant, learner, p_entry FROM revoked RETURNING learner
$$;

-- Returns a token, or NULL if it is not valid.
CREATE FUNCTION waymark.token(p_tenant text, p_learner uuid, p_digest text, p_now timestamptz) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('digest', digest, 'learner', learner, 'scope', scope, 'createdAt', created_at) FROM waymark.token
  WHERE tenant = p_tenant AND learner = p_learner AND digest = p_digest AND revoked_at IS NULL
    AND (expires_at IS NULL OR p_now < expires_at)
$$;

-- Returns a valid token that was moved from a hub on SQLite. It is found by its digest only, because its secret does not contain
-- the learner.
CREATE FUNCTION waymark.moved_tokens(p_tenant text, p_digest text, p_now timestamptz) RETURNS SETOF jsonb
LANGUAGE sql STABLE AS $$
  SELECT waymark.token(p_tenant, learner, p_digest, p_now) FROM waymark.token WHERE tenant = p_tenant AND digest = p_digest
$$;

CREATE FUNCTION waymark.learners_named(p_tenant text, p_name text) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
  SELECT learner FROM waymark.learner WHERE tenant = p_tenant AND name = p_name
$$;

-- Adds a learner. Returns false if the learner is stored already.
CREATE FUNCTION waymark.add_learner(p_tenant text, p_learner uuid, p_name text, p_now timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM waymark.erased_learner WHERE tenant = p_tenant AND learner = p_learner) THEN
    RAISE 'erased' USING ERRCODE = 'WM001';
  END IF;
  INSERT INTO waymark.learner VALUES (p_tenant, p_learner, p_name, p_now) ON CONFLICT DO NOTHING;
  RETURN FOUND;
END $$;

-- Returns the learner with a name, and adds the learner if there is none. Without the lock, two concurrent calls would add two
-- learners.
CREATE FUNCTION waymark.learner_named(p_tenant text, p_name text, p_new uuid, p_now timestamptz) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
  known uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(p_tenant || E'\u001F' || p_name, 0));
  SELECT min(learner::text) INTO known FROM waymark.learners_named(p_tenant, p_name) AS learner;
  IF known IS NULL THEN PERFORM waymark.add_learner(p_tenant, p_new, p_name, p_now); END IF;
  RETURN coalesce(known, p_new);
END $$;

-- Returns at most `p_limit` learners after `p_after`, in the order of their UUIDs, with their tokens and classes.
CREATE FUNCTION waymark.accounts(p_tenant text, p_after uuid, p_limit integer) RETURNS SETOF jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('uuid', learner, 'name', name, 'createdAt', created_at,
    'tokens', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('digest', digest, 'scope', scope, 'createdAt', token.created_at,
        'expiresAt', expires_at, 'revokedAt', revoked_at) ORDER BY digest), '[]')
      FROM waymark.token WHERE tenant = p_tenant AND token.learner = page.learner),
    'classes', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('name', class, 'at', joined_at) ORDER BY class), '[]')
      FROM waymark.member WHERE tenant = p_tenant AND member.learner = page.learner))
  FROM (
    SELECT * FROM waymark.learner WHERE tenant = p_tenant AND (p_after IS NULL OR learner > p_after)
    ORDER BY learner LIMIT p_limit) AS page
$$;

-- Erases all data and tokens of a learner. Later messages cannot restore them. Returns the totals before the erasure (empty if
-- the learner is unknown), or NULL if the learner was erased already.
CREATE FUNCTION waymark.erase_learner(p_tenant text, p_learner uuid, p_entry jsonb, p_beginning text, p_now timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  answer jsonb;
  name text;
BEGIN
  PERFORM waymark.lock(p_tenant, p_learner, p_beginning, p_now);
  INSERT INTO waymark.erased_learner VALUES (p_tenant, p_learner) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN NULL; END IF;
  answer := waymark.greet(p_tenant, p_learner);
  FOREACH name IN ARRAY '{learner,token,member,node,session,event,fact,erased_from,erased_span}'::text[] LOOP
    EXECUTE format('DELETE FROM waymark.%I WHERE tenant = $1 AND learner = $2', name) USING p_tenant, p_learner;
  END LOOP;
  PERFORM waymark.note_audit(p_tenant, p_learner, p_entry);
  RETURN coalesce(answer, '{}');
END $$;

CREATE FUNCTION waymark.erased_learners(p_tenant text) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
  SELECT learner FROM waymark.erased_learner WHERE tenant = p_tenant
$$;

CREATE FUNCTION waymark.add_class(p_tenant text, p_class text, p_now timestamptz) RETURNS SETOF boolean LANGUAGE sql AS $$
  INSERT INTO waymark.class VALUES (p_tenant, p_class, p_now) ON CONFLICT DO NOTHING RETURNING true
$$;

CREATE FUNCTION waymark.remove_class(p_tenant text, p_class text) RETURNS SETOF boolean LANGUAGE sql AS $$
  DELETE FROM waymark.member WHERE tenant = p_tenant AND class = p_class;
  DELETE FROM waymark.class WHERE tenant = p_tenant AND name = p_class RETURNING true;
$$;

CREATE FUNCTION waymark.join_class(p_tenant text, p_learner uuid, p_class text, p_now timestamptz) RETURNS boolean
LANGUAGE sql AS $$
  INSERT INTO waymark.member VALUES (p_tenant, p_learner, p_class, p_now) ON CONFLICT DO NOTHING RETURNING true
$$;

CREATE FUNCTION waymark.leave_class(p_tenant text, p_class text, p_name text) RETURNS SETOF boolean LANGUAGE sql AS $$
  DELETE FROM waymark.member USING waymark.learners_named(p_tenant, p_name) AS named
  WHERE tenant = p_tenant AND class = p_class AND learner = named RETURNING true
$$;

-- Returns the classes with those of their members who are stored in this database.
CREATE FUNCTION waymark.classes(p_tenant text) RETURNS SETOF jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('name', class.name, 'createdAt', class.created_at, 'members', coalesce(members, '[]'))
  FROM waymark.class LEFT JOIN (
    SELECT class AS name, jsonb_agg(learner.name) AS members FROM waymark.member JOIN waymark.learner USING (tenant, learner)
    WHERE tenant = p_tenant GROUP BY class) AS list USING (name)
  WHERE tenant = p_tenant
$$;

CREATE FUNCTION waymark.greet(p_tenant text, p_learner uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('learner', learner, 'name', name, 'steps', coalesce(sum(steps), 0),
    'activities', coalesce(sum(acts), 0))
  FROM waymark.learner LEFT JOIN waymark.session USING (tenant, learner)
  WHERE tenant = p_tenant AND learner = p_learner GROUP BY learner, name
$$;

-- Returns the versions of the given sessions, or of all sessions: the lengths and the last events of their logs.
CREATE FUNCTION waymark.versions(p_tenant text, p_learner uuid, p_sessions uuid[] DEFAULT NULL) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object('uuid', session, 'steps', steps, 'acts', acts, 'leftAt', left_at,
    'endedAt', body->'endedAt', 'lastStep', last_step, 'lastAct', last_act) ORDER BY body->>'startedAt', session), '[]')
  FROM waymark.session
  WHERE tenant = p_tenant AND learner = p_learner AND (p_sessions IS NULL OR session = ANY (p_sessions))
$$;

CREATE FUNCTION waymark.erased(p_tenant text, p_learner uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'sessions', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('session', session, 'step', step, 'act', act) ORDER BY session), '[]')
      FROM waymark.erased_from WHERE tenant = p_tenant AND learner = p_learner),
    'spans', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('since', since, 'until', until) ORDER BY since, until), '[]')
      FROM waymark.erased_span WHERE tenant = p_tenant AND learner = p_learner))
$$;

-- Repeats the erasures of another database, and returns the versions of all data. Without erasures, no row is locked.
CREATE FUNCTION waymark.compare(
  p_tenant text, p_learner uuid, p_named uuid, p_erased jsonb, p_beginning text, p_now timestamptz) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  writes CONSTANT boolean := p_erased->'sessions' <> '[]' OR p_erased->'spans' <> '[]';
BEGIN
  IF writes THEN PERFORM waymark.lock(p_tenant, p_learner, p_beginning, p_now); END IF;
  PERFORM waymark.identify(p_tenant, p_learner, p_named);
  IF writes THEN PERFORM waymark.erase(p_tenant, p_learner, p_erased); END IF;
  RETURN jsonb_build_object(
    'sessions', waymark.versions(p_tenant, p_learner),
    'facts', (
      SELECT coalesce(jsonb_agg(jsonb_build_object(
        'key', key, 'stamp', stamp, 'replica', replica, 'characters', value->'characters') ORDER BY key), '[]')
      FROM waymark.fact WHERE tenant = p_tenant AND learner = p_learner),
    'erased', waymark.erased(p_tenant, p_learner));
END $$;

-- Returns the UUIDs of the events of a session, in the order of each log.
CREATE FUNCTION waymark.names(p_tenant text, p_learner uuid, p_named uuid, p_session uuid) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM waymark.identify(p_tenant, p_learner, p_named);
  RETURN (
    SELECT jsonb_build_object('steps', coalesce(jsonb_agg(uuid ORDER BY number) FILTER (WHERE log = 'step'), '[]'),
      'acts', coalesce(jsonb_agg(uuid ORDER BY number) FILTER (WHERE log = 'act'), '[]'))
    FROM waymark.event WHERE tenant = p_tenant AND learner = p_learner AND session = p_session);
END $$;

-- Returns the requested part of a learner's record, up to a number of rows, and the remaining request. The last event that the
-- other database has is included: the end of its visit may be new, and a different event with this number reveals a fork.
CREATE FUNCTION waymark.pull(p_tenant text, p_learner uuid, p_named uuid, p_part jsonb, p_limit integer) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
  answer jsonb;
BEGIN
  PERFORM waymark.identify(p_tenant, p_learner, p_named);
  WITH RECURSIVE log AS (
    SELECT place, session, log, has, greatest(1, has) AS first, length
    FROM jsonb_array_elements(p_part->'sessions') WITH ORDINALITY AS part (wish, place)
    JOIN waymark.session ON tenant = p_tenant AND learner = p_learner AND session = (wish->>'uuid')::uuid
    CROSS JOIN LATERAL (
      VALUES ('step', (wish->>'steps')::integer, steps), ('act', (wish->>'acts')::integer, acts)) AS log (log, has, length)),
  -- The number of rows that remain for this log after the earlier ones.
  range AS (
    SELECT *, p_limit - coalesce(sum(greatest(0, length - first + 1)) OVER (
      ORDER BY place, log DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS room FROM log),
  sent AS (
    SELECT place, session, max(room) > 0 AS has_room, bool_and(length < first + room) AS is_whole,
      jsonb_object_agg(log || 's', greatest(has, least(length, first + room - 1))) AS has
    FROM range GROUP BY place, session),
  event AS (
    SELECT event.*, place FROM range CROSS JOIN LATERAL (
      SELECT * FROM waymark.event WHERE tenant = p_tenant AND learner = p_learner AND session = range.session
        AND event.log = range.log AND number BETWEEN first AND first + room - 1 ORDER BY number) AS event),
  request AS (
    SELECT key, place, place <= CASE WHEN (SELECT bool_and(is_whole) FROM sent) IS NOT false
      THEN p_limit - (SELECT count(*) FROM event) ELSE 0 END AS has_room
    FROM jsonb_array_elements_text(p_part->'facts') WITH ORDINALITY AS part (key, place)),
  fact AS (
    SELECT fact.* FROM request JOIN waymark.fact USING (key) WHERE tenant = p_tenant AND learner = p_learner AND has_room),
  tree (number, body, level) AS (
    SELECT number, body, 0 FROM waymark.node WHERE tenant = p_tenant AND learner = p_learner AND number IN (
      SELECT jsonb_path_query(body, '$.**{0 to 1}.node')::bigint FROM event
      UNION SELECT jsonb_array_elements(body->'stack')::bigint FROM event UNION SELECT node FROM fact)
    UNION
    SELECT node.number, node.body, level + 1 FROM tree JOIN waymark.node
      ON tenant = p_tenant AND learner = p_learner AND node.number = (tree.body->>'parent')::bigint),
  node AS (SELECT number, body, row_number() OVER (ORDER BY max(level) DESC) AS place FROM tree GROUP BY number, body),
  item AS (
    SELECT CASE log WHEN 'step' THEN 'steps' ELSE 'activities' END AS list, event.place, number,
      body || jsonb_build_object('uuid', uuid, 'session', session, 'sequence', number) AS value
    FROM event
    UNION ALL
    SELECT list, 0, 0, value FROM fact WHERE list <> 'settings' AND value IS NOT NULL)
  SELECT jsonb_build_object('numbers', (SELECT coalesce(jsonb_agg(number ORDER BY place), '[]') FROM node), 'payload',
    jsonb_build_object('record',
      '{"steps": [], "activities": [], "bookmarks": [], "positions": [], "quizzes": [], "passages": []}'
      || jsonb_build_object(
      'uuid', learner, 'name', name, 'createdAt', created_at, 'erased', waymark.erased(p_tenant, p_learner),
      'nodes', (SELECT coalesce(jsonb_agg(body ORDER BY place), '[]') FROM node),
      'sessions', (
        SELECT coalesce(jsonb_agg(body || jsonb_build_object(
          'uuid', session, 'endedAt', CASE WHEN is_whole THEN body->'endedAt' END) ORDER BY place), '[]')
        FROM sent JOIN waymark.session USING (session) WHERE tenant = p_tenant AND learner = p_learner AND has_room),
      'settings', (
        SELECT coalesce(jsonb_object_agg(name, value), '{}') FROM fact WHERE list = 'settings' AND value IS NOT NULL),
      'changes', (
        SELECT coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'node', node, 'name', name, 'stamp', stamp,
          'replica', replica) ORDER BY stamp, replica, key), '[]')
        FROM fact WHERE kind <> 'passage'))
      || coalesce((
        SELECT jsonb_object_agg(list, values) FROM (
          SELECT list, jsonb_agg(value ORDER BY place, number) AS values FROM item GROUP BY list) AS part), '{}'),
    'rest', jsonb_build_object(
      'sessions', (
        SELECT coalesce(jsonb_agg(jsonb_build_object('uuid', session) || has ORDER BY place), '[]')
        FROM sent WHERE NOT (has_room AND is_whole)),
      'facts', (SELECT coalesce(jsonb_agg(key ORDER BY place), '[]') FROM request WHERE NOT has_room))))
  INTO answer FROM waymark.learner WHERE tenant = p_tenant AND learner = p_learner;
  RETURN answer;
END $$;

-- Returns ranges of characters, such as `0-120 130-140`, sorted and without overlaps.
CREATE FUNCTION waymark.united(ranges text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(string_agg(lower(range) || '-' || upper(range), ' ' ORDER BY range), '')
  FROM unnest((
    SELECT range_agg(int8range(ends[1]::bigint, ends[2]::bigint))
    FROM regexp_matches(ranges, '(?:^| )(\d{1,18})-(\d{1,18})(?= |$)', 'g') AS ends
    WHERE ends[1]::bigint < ends[2]::bigint)) AS range
$$;

-- Updates the lengths and the last events of the logs of sessions.
CREATE FUNCTION waymark.measure(p_tenant text, p_learner uuid, p_sessions uuid[]) RETURNS void LANGUAGE sql AS $$
  UPDATE waymark.session SET steps = coalesce(step.number, 0), acts = coalesce(act.number, 0), last_step = step.uuid,
    last_act = act.uuid, left_at = step.body->>'leftAt'
  FROM unnest(p_sessions) AS measured
  LEFT JOIN LATERAL (
    SELECT * FROM waymark.event WHERE tenant = p_tenant AND learner = p_learner AND event.session = measured AND log = 'step'
    ORDER BY number DESC LIMIT 1) AS step ON true
  LEFT JOIN LATERAL (
    SELECT * FROM waymark.event WHERE tenant = p_tenant AND learner = p_learner AND event.session = measured AND log = 'act'
    ORDER BY number DESC LIMIT 1) AS act ON true
  WHERE session.tenant = p_tenant AND session.learner = p_learner AND session.session = measured
$$;

-- Deletes the erased events of sessions. A session that loses events ends with its last remaining visit.
CREATE FUNCTION waymark.cut(p_tenant text, p_learner uuid, p_sessions uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  known record;
  visit waymark.event;
  left_at text;
BEGIN
  FOR known IN
    SELECT session, body, step, act, steps >= step OR NOT body ? 'endedAt' AS ends
    FROM waymark.session JOIN waymark.erased_from USING (tenant, learner, session)
    WHERE tenant = p_tenant AND learner = p_learner AND session = ANY (p_sessions)
      AND (step = 1 OR steps >= step OR acts >= act)
  LOOP
    DELETE FROM waymark.event WHERE tenant = p_tenant AND learner = p_learner AND session = known.session
      AND (known.step = 1 OR number >= CASE log WHEN 'step' THEN known.step ELSE known.act END);
    DELETE FROM waymark.session
    WHERE tenant = p_tenant AND learner = p_learner AND session = known.session AND known.step = 1;
    SELECT * INTO visit FROM waymark.event
    WHERE tenant = p_tenant AND learner = p_learner AND session = known.session AND log = 'step'
    ORDER BY number DESC LIMIT 1;
    IF FOUND AND known.ends THEN
      left_at := greatest(visit.body->>'at', known.body->>'lastInputAt');
      visit.body := jsonb_build_object('leftAt', left_at, 'activeMs', least((known.body->>'activeMs')::bigint,
        (1000 * extract(epoch FROM left_at::timestamptz - (visit.body->>'at')::timestamptz))::bigint)) || visit.body;
      UPDATE waymark.event SET body = visit.body
      WHERE tenant = p_tenant AND learner = p_learner AND session = known.session AND log = 'step' AND number = visit.number;
      UPDATE waymark.session SET body = body || jsonb_build_object(
        'activeMs', 0, 'lastInputAt', visit.body->'leftAt', 'endedAt', visit.body->'leftAt')
      WHERE tenant = p_tenant AND learner = p_learner AND session = known.session;
    END IF;
    PERFORM waymark.measure(p_tenant, p_learner, ARRAY[known.session]);
  END LOOP;
END $$;

-- Stores the erasures of another database, and repeats them in this one.
CREATE FUNCTION waymark.erase(p_tenant text, p_learner uuid, p_erased jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO waymark.erased_from AS known SELECT p_tenant, p_learner, session, step, act
  FROM jsonb_to_recordset(p_erased->'sessions') AS cut (session uuid, step integer, act integer) WHERE least(step, act) > 0
  ON CONFLICT (tenant, learner, session) DO UPDATE
  SET step = least(known.step, excluded.step), act = least(known.act, excluded.act)
  WHERE excluded.step < known.step OR excluded.act < known.act;
  SELECT waymark.cut(p_tenant, p_learner, ARRAY (
    SELECT session FROM jsonb_to_recordset(p_erased->'sessions') AS cut (session uuid)));
  INSERT INTO waymark.erased_span SELECT p_tenant, p_learner, since, until
  FROM jsonb_to_recordset(p_erased->'spans') AS span (since timestamptz, until timestamptz) ON CONFLICT DO NOTHING;
  DELETE FROM waymark.fact USING jsonb_to_recordset(p_erased->'spans') AS span (since timestamptz, until timestamptz)
  WHERE tenant = p_tenant AND learner = p_learner AND (value->>'savedAt')::timestamptz BETWEEN since AND until;
$$;

-- Merges the facts of a message. The later change of a fact is kept, and the ranges of read passages are united. A timestamp
-- after `p_latest` is reduced to it, but keeps its random bits. Returns the changes with reduced timestamps.
CREATE FUNCTION waymark.merge_facts(p_tenant text, p_learner uuid, p_record jsonb, p_latest bigint) RETURNS jsonb
LANGUAGE sql AS $$
  WITH sent AS (
    SELECT list, coalesce(value->>'kind', kind) AS kind, (value->>'node')::bigint AS node, value->>'name' AS name, value
    FROM (VALUES ('bookmarks', 'bookmark'), ('positions', 'position'), ('quizzes', 'quiz'), ('others', NULL))
      AS lists (list, kind), jsonb_array_elements(p_record->list) AS value
    UNION ALL SELECT 'settings', 'setting', NULL, key, value FROM jsonb_each(p_record->'settings')),
  fact AS (
    SELECT change.*, least(greatest(0, stamp), p_latest + greatest(0, stamp) % 65536) AS kept, list, value
    FROM jsonb_to_recordset(p_record->'changes') AS change (kind text, node bigint, name text, stamp bigint, replica text)
    LEFT JOIN sent ON sent.kind = change.kind AND sent.node IS NOT DISTINCT FROM change.node
      AND sent.name IS NOT DISTINCT FROM change.name
    UNION ALL
    SELECT 'passage', (value->>'node')::bigint, value->>'digest', stamp, '', stamp, 'passages',
      value || jsonb_build_object('characters', waymark.united(value->>'characters'))
    FROM jsonb_array_elements(p_record->'passages') AS value
    CROSS JOIN LATERAL (SELECT (1000 * extract(epoch FROM (value->>'savedAt')::timestamptz))::bigint AS stamp) AS saved),
  named AS (
    SELECT fact.*, concat_ws(E'\u001F', kind, coalesce(body->>'course', ''), coalesce(body->>'key', ''), coalesce(name, ''))
      AS key
    FROM fact LEFT JOIN waymark.node ON tenant = p_tenant AND learner = p_learner AND number = node
    WHERE NOT EXISTS (
      SELECT FROM waymark.erased_span WHERE tenant = p_tenant AND learner = p_learner
        AND (value->>'savedAt')::timestamptz BETWEEN since AND until)),
  stored AS (
    INSERT INTO waymark.fact AS known
    SELECT DISTINCT ON (key) p_tenant, p_learner, key, kind, node, name, kept, replica, list, value
    FROM named ORDER BY key, kept DESC, replica COLLATE "C" DESC
    ON CONFLICT (tenant, learner, key) DO UPDATE
    SET stamp = greatest(known.stamp, excluded.stamp), replica = excluded.replica, list = excluded.list,
      value = CASE excluded.list WHEN 'passages' THEN known.value || jsonb_build_object(
        'characters', waymark.united(concat_ws(' ', known.value->>'characters', excluded.value->>'characters')),
        'savedAt', greatest(known.value->>'savedAt', excluded.value->>'savedAt')) ELSE excluded.value END
    WHERE excluded.list = 'passages' OR (known.stamp, known.replica) < (excluded.stamp, excluded.replica))
  SELECT coalesce(jsonb_agg(jsonb_build_object('key', key, 'stamp', kept, 'replica', replica)), '[]')
  FROM named WHERE kept <> stamp
$$;

-- Merges a part of a learner's record. Data that is stored already has no effect. All members refer to nodes by the numbers of
-- the listed nodes. Returns the changes with reduced timestamps, and the versions of the sessions.
--
-- The queries are planned again for each message: a plan that was made for a learner without events would read all events of a
-- learner with many. For the same reason, stored events and the last step are read from a log in its order, which
-- only one index supports.
CREATE FUNCTION waymark.push(
  p_tenant text, p_learner uuid, p_record jsonb, p_numbers bigint[], p_latest bigint, p_beginning text, p_now timestamptz)
RETURNS jsonb LANGUAGE plpgsql SET plan_cache_mode = 'force_custom_plan' AS $$
DECLARE
  sessions CONSTANT uuid[] := ARRAY (SELECT (body->>'uuid')::uuid FROM jsonb_array_elements(p_record->'sessions') AS body);
  events CONSTANT waymark.event[] := ARRAY (
    SELECT ROW (p_tenant, p_learner, item->>'session', log, item->>'sequence', item->>'uuid',
      item - '{uuid,session,sequence}'::text[])::waymark.event
    FROM (VALUES ('step', p_record->'steps'), ('act', p_record->'activities')) AS list (log, items),
      jsonb_array_elements(items) AS item
    WHERE (item->>'session')::uuid = ANY (sessions));
  known record;
BEGIN
  PERFORM waymark.lock(p_tenant, p_learner, p_beginning, p_now);
  PERFORM waymark.identify(p_tenant, p_learner, (p_record->>'uuid')::uuid);
  PERFORM waymark.erase(p_tenant, p_learner, p_record->'erased');
  INSERT INTO waymark.node SELECT p_tenant, p_learner, p_numbers[place], body
  FROM jsonb_array_elements(p_record->'nodes') WITH ORDINALITY AS list (body, place) ON CONFLICT DO NOTHING;
  INSERT INTO waymark.session SELECT p_tenant, p_learner, (body->>'uuid')::uuid, body - '{uuid,endedAt}'::text[]
  FROM jsonb_array_elements(p_record->'sessions') AS body ON CONFLICT DO NOTHING;

  FOR known IN
    SELECT stored.*, sent.uuid AS sent_uuid, sent.body AS sent
    FROM (SELECT session, log, min(number) AS first, max(number) AS last FROM unnest(events) GROUP BY session, log) AS part
    CROSS JOIN LATERAL (
      SELECT ctid, * FROM waymark.event WHERE tenant = p_tenant AND learner = p_learner AND session = part.session
        AND log = part.log AND number BETWEEN first AND last ORDER BY number) AS stored
    JOIN unnest(events) AS sent
      ON sent.session = stored.session AND sent.log = stored.log AND sent.number = stored.number
    -- Steps come first, as in the merge of the SQLite store.
    ORDER BY stored.log DESC, stored.number
  LOOP
    IF known.uuid <> known.sent_uuid THEN RAISE '%', known.session USING ERRCODE = 'WM003'; END IF;
    -- The SQLite store compares the same members.
    IF EXISTS (
      SELECT FROM unnest('{operation,to,kind,node,at,orderedAt}'::text[]) AS member
      WHERE known.body->member IS DISTINCT FROM known.sent->member)
    THEN
      RAISE '%', known.uuid USING ERRCODE = 'WM004';
    END IF;
    -- The end of a visit is stored once and never changes.
    IF NOT known.body ? 'leftAt' AND known.sent ? 'leftAt' THEN
      UPDATE waymark.event
      SET body = body || jsonb_build_object('leftAt', known.sent->'leftAt', 'activeMs', known.sent->'activeMs')
      WHERE ctid = known.ctid;
    END IF;
  END LOOP;

  IF EXISTS (
    SELECT FROM unnest(events) AS sent JOIN waymark.session AS stored USING (tenant, learner, session)
    CROSS JOIN LATERAL (
      SELECT * FROM waymark.event WHERE tenant = p_tenant AND learner = p_learner AND session = sent.session AND log = 'step'
      ORDER BY number DESC LIMIT 1) AS before
    WHERE sent.log = 'step' AND sent.number = steps + 1
      AND (NOT before.body ? 'leftAt' OR before.body->'to' IS DISTINCT FROM sent.body->'from'))
  THEN RAISE 'a step does not follow the end of the step before it' USING ERRCODE = 'WM005'; END IF;
  -- Erased events are added too, and deleted below. No other event is added to a session that has ended.
  BEGIN
    WITH added AS (
      INSERT INTO waymark.event SELECT sent.* FROM unnest(events) AS sent JOIN waymark.session AS stored USING (session)
      WHERE stored.tenant = p_tenant AND stored.learner = p_learner AND stored.session = ANY (sessions)
        AND sent.number > CASE sent.log WHEN 'step' THEN steps ELSE acts END
      RETURNING session, log, number),
    part AS (SELECT session, log, min(number) AS first, max(number) AS last, count(*) FROM added GROUP BY session, log)
    SELECT session, body ? 'endedAt' AS has_ended INTO known
    FROM part JOIN waymark.session USING (session) LEFT JOIN waymark.erased_from USING (tenant, learner, session)
    WHERE tenant = p_tenant AND learner = p_learner AND session = ANY (sessions)
      AND (body ? 'endedAt' AND first < coalesce(CASE log WHEN 'step' THEN step ELSE act END, last + 1)
        OR last - count <> CASE log WHEN 'step' THEN steps ELSE acts END)
    ORDER BY has_ended DESC LIMIT 1;
  EXCEPTION WHEN unique_violation THEN
    -- The event is stored in another session, because another database has split this session.
    SELECT event.session INTO known FROM unnest(events) AS sent JOIN waymark.event USING (tenant, learner, uuid)
    WHERE event.session <> sent.session LIMIT 1;
    RAISE '%', known.session USING ERRCODE = CASE WHEN FOUND THEN 'WM003' ELSE 'WM005' END;
  END;
  IF known.has_ended THEN RAISE '%', known.session USING ERRCODE = 'WM003'; END IF;
  IF FOUND THEN RAISE 'events of a session are missing' USING ERRCODE = 'WM005'; END IF;
  PERFORM waymark.measure(p_tenant, p_learner, sessions);
  PERFORM waymark.cut(p_tenant, p_learner, sessions);

  -- Without the end of the last visit, the message does not contain the end of the session either.
  UPDATE waymark.session SET body = body
    || CASE WHEN sent->>'lastInputAt' < body->>'lastInputAt' THEN '{}' ELSE jsonb_build_object(
      'lastInputAt', sent->'lastInputAt', 'activeMs', sent->'activeMs') END
    || CASE WHEN sent ? 'endedAt' AND (left_at IS NOT NULL OR steps = 0) THEN jsonb_build_object(
      'endedAt', greatest(body->>'startedAt', sent->>'endedAt'), 'activeMs', 0) ELSE '{}' END
  FROM jsonb_array_elements(p_record->'sessions') AS sent
  WHERE tenant = p_tenant AND learner = p_learner AND session = (sent->>'uuid')::uuid AND NOT body ? 'endedAt';
  RETURN jsonb_build_object('limited', waymark.merge_facts(p_tenant, p_learner, p_record, p_latest),
    'sessions', waymark.versions(p_tenant, p_learner, sessions));
END $$;
