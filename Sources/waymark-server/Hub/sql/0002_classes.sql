-- Who learns together, what each has begun and done, the questions of a class, and learners who move from hub to hub.

-- Classes are of the tenant: on several databases each has all of them, and only its own learners.
CREATE TABLE waymark.class (
  tenant text NOT NULL CHECK (tenant ~ '^[a-z0-9-]{1,40}$'),
  name text COLLATE "C" NOT NULL CHECK (name <> ''),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant, name)
);

CREATE TABLE waymark.member (
  tenant text NOT NULL,
  learner uuid NOT NULL,
  class text COLLATE "C" NOT NULL,
  joined_at timestamptz NOT NULL,
  PRIMARY KEY (tenant, learner, class)
);

CREATE INDEX member_of_class ON waymark.member (tenant, class);

-- A projection: the activities that a learner has opened or that have events, whether they were begun, and since when they
-- are done. It follows from the two logs and the reading positions.
CREATE TABLE waymark.progress (
  tenant text NOT NULL,
  learner uuid NOT NULL,
  node integer NOT NULL,
  begun_at timestamptz NOT NULL,
  done_at timestamptz,
  is_begun boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant, learner, node)
);

CREATE INDEX act_of_node ON waymark.act (tenant, learner, node);
CREATE INDEX course_by_slug ON waymark.node (tenant, slug) WHERE kind = 'course';
CREATE INDEX token_by_digest ON waymark.token (tenant, digest);

-- Works out since when activities are done: the one rule of what makes them so. The order is the same in every database.
CREATE FUNCTION waymark.fold(p_tenant text, p_learner uuid, p_nodes integer[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  current integer;
  since timestamptz;
  graded integer[] := '{}';
  done record;
BEGIN
  FOR done IN
    WITH session AS (
      SELECT DISTINCT session FROM waymark.act
      WHERE tenant = p_tenant AND learner = p_learner AND node = ANY (p_nodes) AND kind NOT IN ('noted', 'noteRemoved')),
    ordered AS (
      SELECT act.*
      -- Session by session: of a learner whom no statistics know yet, PostgreSQL would else read all for each.
      FROM session CROSS JOIN LATERAL (
        SELECT * FROM waymark.act WHERE tenant = p_tenant AND learner = p_learner AND act.session = session.session
        OFFSET 0) AS act)
    SELECT node, kind, at, ordered_at, session, sequence,
      CASE WHEN kind = 'quizChecked'
        THEN coalesce(score, 1) >= coalesce((detail::jsonb->>'pass')::double precision, 0) END AS passes,
      CASE WHEN kind = 'cardGraded' THEN (detail::jsonb->>'card')::integer END AS card,
      CASE WHEN kind = 'cardGraded' THEN (detail::jsonb->>'of')::integer END AS cards
    FROM ordered
    WHERE node = ANY (p_nodes) AND (kind <> 'cardGraded' OR NOT EXISTS (
      SELECT FROM ordered AS undo
      WHERE undo.kind = 'cardUndone' AND undo.node = ordered.node
        AND undo.detail::jsonb->>'event' = ordered.uuid::text))
    -- After the last one comes an end without a node.
    UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    ORDER BY node NULLS LAST, ordered_at, session, sequence
  LOOP
    IF current IS DISTINCT FROM done.node THEN
      UPDATE waymark.progress SET done_at = since
      WHERE tenant = p_tenant AND learner = p_learner AND node = current AND done_at IS DISTINCT FROM since;
      current := done.node;
      since := NULL;
      graded := '{}';
    END IF;
    CASE done.kind
      WHEN 'seenToEnd', 'markedDone' THEN since := coalesce(since, done.at);
      WHEN 'quizChecked' THEN IF done.passes THEN since := coalesce(since, done.at); END IF;
      WHEN 'markedNotDone' THEN
        since := NULL;
        graded := '{}';
      WHEN 'cardGraded' THEN
        -- An answer in a review names a card by its key, and is no turned card of the deck.
        IF done.card IS NOT NULL AND done.card <> ALL (graded) THEN graded := graded || done.card; END IF;
        IF cardinality(graded) >= done.cards THEN since := coalesce(since, done.at); END IF;
      -- Notes, the end, and what a later version knows.
      ELSE NULL;
    END CASE;
  END LOOP;
END $$;

-- Whether a learner has begun an activity that is not done: the rule of the view begunActivity of a leaf.
CREATE FUNCTION waymark.is_begun(p_tenant text, p_learner uuid, p_node integer) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM waymark.node JOIN waymark.fact USING (tenant, learner)
    WHERE tenant = p_tenant AND learner = p_learner AND number = p_node
      AND fact.key = concat_ws(E'\u001F', 'position', node.course, node.key, '')
      AND ((value->>'block')::integer > 0 OR (value->>'blockOffset')::double precision > 0
        OR (value->>'fraction')::double precision > 0))
  OR EXISTS (
    SELECT FROM waymark.act WHERE tenant = p_tenant AND learner = p_learner AND node = p_node
      AND (kind IN ('seenToEnd', 'quizChecked', 'cardScheduled')
        OR kind = 'cardGraded' AND NOT EXISTS (
          SELECT FROM waymark.act AS undo
          WHERE undo.tenant = p_tenant AND undo.learner = p_learner AND undo.node = p_node AND undo.kind = 'cardUndone'
            AND undo.detail::jsonb->>'event' = act.uuid::text)))
$$;

-- Determines again which of some activities were begun; of all if p_nodes is null.
CREATE FUNCTION waymark.update_begun(p_tenant text, p_learner uuid, p_nodes integer[]) RETURNS void LANGUAGE sql AS $$
  UPDATE waymark.progress SET is_begun = now.is_begun
  FROM (
    SELECT node, done_at IS NOT NULL OR waymark.is_begun(p_tenant, p_learner, node) AS is_begun FROM waymark.progress
    WHERE tenant = p_tenant AND learner = p_learner AND (p_nodes IS NULL OR node = ANY (p_nodes))) AS now
  WHERE tenant = p_tenant AND learner = p_learner AND progress.node = now.node AND progress.is_begun <> now.is_begun
$$;

-- Works a learner's progress out anew.
CREATE FUNCTION waymark.rebuild(p_tenant text, p_learner uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM waymark.progress WHERE tenant = p_tenant AND learner = p_learner;
  INSERT INTO waymark.progress
  SELECT p_tenant, p_learner, node, min(at), NULL FROM (
    SELECT to_node AS node, at FROM waymark.step
    WHERE tenant = p_tenant AND learner = p_learner AND to_kind = 'activity'
    UNION ALL SELECT node, at FROM waymark.act WHERE tenant = p_tenant AND learner = p_learner) AS moment
  GROUP BY node;
  PERFORM waymark.fold(p_tenant, p_learner, ARRAY (
    SELECT DISTINCT node FROM waymark.act WHERE tenant = p_tenant AND learner = p_learner));
  PERFORM waymark.update_begun(p_tenant, p_learner, NULL);
END $$;

-- From here on what changes the logs changes the progress in the same transaction.
ALTER FUNCTION waymark.push(text, uuid, jsonb, timestamptz) RENAME TO push_logs;
ALTER FUNCTION waymark.erase(text, uuid, jsonb) RENAME TO erase_logs;
ALTER FUNCTION waymark.erase_learner(text, uuid) RENAME TO erase_logs_of_learner;

CREATE FUNCTION waymark.push(p_tenant text, p_learner uuid, p_record jsonb, p_now timestamptz) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  answer jsonb := waymark.push_logs(p_tenant, p_learner, p_record, p_now);
BEGIN
  -- A session at a time: of a learner whom no statistics know yet, PostgreSQL expects one row, takes any key that begins with
  -- the learner, and reads all of theirs. For each event of a message that would be a second, for each session it is not.
  INSERT INTO waymark.progress AS known
  SELECT p_tenant, p_learner, node, min(at), NULL FROM (
    SELECT step.to_node AS node, step.at
    FROM (
      SELECT session, min(sequence) AS first, max(sequence) AS last
      FROM jsonb_to_recordset(p_record->'steps') AS new (session uuid, sequence integer) GROUP BY session) AS part
    CROSS JOIN LATERAL (
      SELECT to_kind, to_node, at FROM waymark.step
      WHERE tenant = p_tenant AND learner = p_learner AND session = part.session
        AND sequence BETWEEN part.first AND part.last
      OFFSET 0) AS step
    WHERE step.to_kind = 'activity'
    UNION ALL
    SELECT act.node, act.at
    FROM (
      SELECT session, min(sequence) AS first, max(sequence) AS last
      FROM jsonb_to_recordset(p_record->'activities') AS new (session uuid, sequence integer) GROUP BY session) AS part
    CROSS JOIN LATERAL (
      SELECT node, at FROM waymark.act
      WHERE tenant = p_tenant AND learner = p_learner AND session = part.session
        AND sequence BETWEEN part.first AND part.last
      OFFSET 0) AS act) AS moment
  GROUP BY node
  ON CONFLICT (tenant, learner, node) DO UPDATE SET begun_at = excluded.begun_at
  WHERE excluded.begun_at < known.begun_at;
  IF p_record->'activities' <> '[]' THEN
    PERFORM waymark.fold(p_tenant, p_learner, ARRAY (
      SELECT DISTINCT act.node
      FROM (
        SELECT session, min(sequence) AS first, max(sequence) AS last
        FROM jsonb_to_recordset(p_record->'activities') AS new (session uuid, sequence integer) GROUP BY session) AS part
      CROSS JOIN LATERAL (
        SELECT node FROM waymark.act
        WHERE tenant = p_tenant AND learner = p_learner AND session = part.session
          AND sequence BETWEEN part.first AND part.last
        OFFSET 0) AS act));
  END IF;
  PERFORM waymark.update_begun(p_tenant, p_learner, ARRAY (
    SELECT number FROM jsonb_to_recordset(p_record->'nodes') AS named (course text, key text)
    JOIN waymark.node ON tenant = p_tenant AND learner = p_learner AND node.course = named.course AND node.key = named.key));
  RETURN answer;
END $$;

-- Plans that a connection made while the tables were empty read all that a learner did once there is much of it.
ALTER FUNCTION waymark.push(text, uuid, jsonb, timestamptz) SET plan_cache_mode = 'force_custom_plan';

CREATE FUNCTION waymark.erase(p_tenant text, p_learner uuid, p_erased jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  before bigint;
BEGIN
  SELECT sum(steps + acts) INTO before FROM waymark.session WHERE tenant = p_tenant AND learner = p_learner;
  PERFORM waymark.erase_logs(p_tenant, p_learner, p_erased);
  IF before IS DISTINCT FROM (
    SELECT sum(steps + acts) FROM waymark.session WHERE tenant = p_tenant AND learner = p_learner)
  THEN
    PERFORM waymark.rebuild(p_tenant, p_learner);
  ELSIF p_erased->'spans' <> '[]' THEN
    PERFORM waymark.update_begun(p_tenant, p_learner, NULL);
  END IF;
END $$;

CREATE FUNCTION waymark.erase_learner(p_tenant text, p_learner uuid) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM waymark.progress WHERE tenant = p_tenant AND learner = p_learner;
  DELETE FROM waymark.member WHERE tenant = p_tenant AND learner = p_learner;
  RETURN waymark.erase_logs_of_learner(p_tenant, p_learner);
END $$;

SELECT waymark.rebuild(tenant, learner) FROM waymark.learner;

-- MARK: classes

CREATE FUNCTION waymark.add_class(p_tenant text, p_class text, p_now timestamptz) RETURNS boolean LANGUAGE sql AS $$
  WITH added AS (INSERT INTO waymark.class VALUES (p_tenant, p_class, p_now) ON CONFLICT DO NOTHING RETURNING 1)
  SELECT EXISTS (SELECT FROM added)
$$;

CREATE FUNCTION waymark.remove_class(p_tenant text, p_class text) RETURNS boolean LANGUAGE sql AS $$
  DELETE FROM waymark.member WHERE tenant = p_tenant AND class = p_class;
  WITH removed AS (DELETE FROM waymark.class WHERE tenant = p_tenant AND name = p_class RETURNING 1)
  SELECT EXISTS (SELECT FROM removed)
$$;

CREATE FUNCTION waymark.join_class(p_tenant text, p_class text, p_learner uuid, p_now timestamptz) RETURNS boolean
LANGUAGE sql AS $$
  WITH joined AS (
    INSERT INTO waymark.member VALUES (p_tenant, p_learner, p_class, p_now) ON CONFLICT DO NOTHING RETURNING 1)
  SELECT EXISTS (SELECT FROM joined)
$$;

CREATE FUNCTION waymark.leave_class(p_tenant text, p_class text, p_name text) RETURNS boolean LANGUAGE sql AS $$
  WITH gone AS (
    DELETE FROM waymark.member USING waymark.learner
    WHERE member.tenant = p_tenant AND class = p_class AND learner.tenant = p_tenant
      AND learner.learner = member.learner AND name = p_name
    RETURNING 1)
  SELECT EXISTS (SELECT FROM gone)
$$;

CREATE FUNCTION waymark.members(p_tenant text) RETURNS TABLE (class text, learner uuid, name text)
LANGUAGE sql STABLE AS $$
  SELECT class, learner, learner.name FROM waymark.member JOIN waymark.learner USING (tenant, learner)
  WHERE tenant = p_tenant
$$;

CREATE FUNCTION waymark.class_rows(p_tenant text) RETURNS TABLE (name text, created_at timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT name, created_at FROM waymark.class WHERE tenant = p_tenant
$$;

-- On several databases each has said all classes.
CREATE FUNCTION waymark.classes(p_tenant text) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object(
    'name', class.name, 'createdAt', waymark.written(created_at), 'members', ARRAY (
      SELECT member.name FROM waymark.members(p_tenant) AS member WHERE class = class.name
      ORDER BY member.name COLLATE "C", learner)) ORDER BY class.name), '[]')
  FROM (SELECT name COLLATE "C", min(created_at) AS created_at FROM waymark.class_rows(p_tenant) GROUP BY 1) AS class
$$;

-- MARK: the questions of a class
--
-- Each has two functions: what the learners of one database say, as rows that can be put together with another one's, and
-- the answer, which is made of them.

-- The learners who are asked about: a class, or everyone.
CREATE FUNCTION waymark.asked(p_tenant text, p_class text) RETURNS TABLE (learner uuid, name text, since timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT learner, name, created_at FROM waymark.learner WHERE tenant = p_tenant AND p_class IS NULL
  UNION ALL
  SELECT learner, name, joined_at FROM waymark.member JOIN waymark.learner USING (tenant, learner)
  WHERE tenant = p_tenant AND class = p_class
$$;

-- The key of the course at that path; null where no learner has been there.
CREATE FUNCTION waymark.course_named(p_tenant text, p_name text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT course FROM waymark.node WHERE tenant = p_tenant AND kind = 'course' AND slug = p_name LIMIT 1
$$;

CREATE FUNCTION waymark.path(p_tenant text, p_learner uuid, p_number integer) RETURNS text LANGUAGE sql STABLE AS $$
  WITH RECURSIVE above (parent, path) AS (
    SELECT parent, slug FROM waymark.node WHERE tenant = p_tenant AND learner = p_learner AND number = p_number
    UNION ALL
    SELECT node.parent, node.slug || '/' || above.path FROM above JOIN waymark.node
      ON tenant = p_tenant AND learner = p_learner AND number = above.parent)
  SELECT path FROM above WHERE parent IS NULL
$$;

CREATE FUNCTION waymark.begun(p_tenant text, p_class text, p_course text)
RETURNS TABLE (
  learner uuid, name text, number integer, course text, key text, title text, begun_at timestamptz, done_at timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT learner, name, number, course, key, title, begun_at, done_at
  FROM waymark.asked(p_tenant, p_class)
  -- Learner by learner, however many there are beside a class.
  CROSS JOIN LATERAL (
    SELECT number, course, key, title, begun_at, done_at
    FROM waymark.progress JOIN waymark.node
      ON node.tenant = p_tenant AND node.learner = asked.learner AND number = progress.node
    WHERE progress.tenant = p_tenant AND progress.learner = asked.learner AND is_begun
      AND (p_course IS NULL OR course = p_course)
    OFFSET 0) AS activity
$$;

-- Who has begun something, finished it not, and neither begun nor finished anything since: one row a learner, with what
-- they began last.
CREATE FUNCTION waymark.stuck_of(p_tenant text, p_class text, p_course text, p_before timestamptz)
RETURNS TABLE (
  learner uuid, name text, number integer, title text, begun_at timestamptz, last_at timestamptz, unfinished bigint)
LANGUAGE sql STABLE AS $$
  SELECT learner, name, number, title, begun_at, last_at, unfinished
  FROM (
    SELECT *, max(greatest(begun_at, done_at)) OVER learners AS last_at,
      count(*) FILTER (WHERE done_at IS NULL) OVER learners AS unfinished,
      row_number() OVER (
        PARTITION BY learner
        ORDER BY done_at IS NOT NULL, begun_at DESC, course COLLATE "C", key COLLATE "C") AS place
    FROM waymark.begun(p_tenant, p_class, p_course) WINDOW learners AS (PARTITION BY learner)) AS activity
  WHERE place = 1 AND done_at IS NULL AND last_at <= p_before
$$;

CREATE FUNCTION waymark.report_stuck(p_tenant text, p_class text, p_course text, p_before timestamptz, p_limit integer)
RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object(
    'learner', name, 'uuid', learner, 'path', waymark.path(p_tenant, learner, number), 'title', title,
    'begunAt', waymark.written(begun_at),
    'lastAt', waymark.written(last_at), 'unfinished', unfinished) ORDER BY last_at, name COLLATE "C", learner), '[]')
  FROM (
    SELECT * FROM waymark.stuck_of(p_tenant, p_class, p_course, p_before)
    ORDER BY last_at, name COLLATE "C", learner LIMIT p_limit) AS row
$$;

CREATE FUNCTION waymark.not_begun_of(p_tenant text, p_class text, p_course text)
RETURNS TABLE (learner uuid, name text, since timestamptz) LANGUAGE sql STABLE AS $$
  SELECT asked.learner, name, since FROM waymark.asked(p_tenant, p_class)
  LEFT JOIN LATERAL (
    SELECT number FROM waymark.progress JOIN waymark.node
      ON node.tenant = p_tenant AND node.learner = asked.learner AND number = progress.node
    WHERE progress.tenant = p_tenant AND progress.learner = asked.learner AND is_begun
      AND (p_course IS NULL OR course = p_course)
    LIMIT 1) AS activity ON true
  WHERE number IS NULL
$$;

CREATE FUNCTION waymark.report_not_begun(p_tenant text, p_class text, p_course text, p_limit integer)
RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object('learner', name, 'uuid', learner, 'since', waymark.written(since))
    ORDER BY since, name COLLATE "C", learner), '[]')
  FROM (
    SELECT * FROM waymark.not_begun_of(p_tenant, p_class, p_course)
    ORDER BY since, name COLLATE "C", learner LIMIT p_limit) AS row
$$;

-- How many have begun an activity, done it, and begun it before a moment and not done it. An activity that nobody left in
-- one database may have been left in another one.
CREATE FUNCTION waymark.left_of(p_tenant text, p_class text, p_course text, p_before timestamptz)
RETURNS TABLE (course text, key text, path text, title text, begun bigint, done bigint, unfinished bigint)
LANGUAGE sql STABLE AS $$
  SELECT course, key, waymark.path(p_tenant, one, number), title, begun, done, unfinished
  FROM (
    SELECT course, key, max(title COLLATE "C") AS title, count(*) AS begun, count(done_at) AS done,
      count(*) FILTER (WHERE done_at IS NULL AND begun_at <= p_before) AS unfinished,
      (array_agg(learner ORDER BY learner))[1] AS one, (array_agg(number ORDER BY learner))[1] AS number
    FROM waymark.begun(p_tenant, p_class, p_course) GROUP BY course, key) AS activity
$$;

CREATE FUNCTION waymark.report_left(p_tenant text, p_class text, p_course text, p_before timestamptz, p_limit integer)
RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object(
    'path', path, 'title', title, 'begun', begun, 'done', done, 'left', unfinished)
    ORDER BY unfinished DESC, begun, path COLLATE "C"), '[]')
  FROM (
    SELECT max(path COLLATE "C") AS path, max(title COLLATE "C") AS title, sum(begun) AS begun, sum(done) AS done,
      sum(unfinished) AS unfinished
    FROM waymark.left_of(p_tenant, p_class, p_course, p_before) GROUP BY course, key
    HAVING sum(unfinished) > 0
    ORDER BY sum(unfinished) DESC, sum(begun), max(path COLLATE "C") LIMIT p_limit) AS row
$$;

-- Of those who began a number of weeks ago or more: how many began or finished something in that week after their first.
CREATE FUNCTION waymark.retention_of(p_tenant text, p_class text, p_course text, p_now timestamptz, p_weeks integer)
RETURNS TABLE (week integer, learners bigint, active bigint) LANGUAGE sql STABLE AS $$
  WITH activity AS MATERIALIZED (SELECT * FROM waymark.begun(p_tenant, p_class, p_course)),
  beginning AS (SELECT learner, min(begun_at) AS first FROM activity GROUP BY learner),
  week AS (
    SELECT DISTINCT learner, floor(extract(epoch FROM moment.at - first) / 604800)::integer AS week
    FROM beginning JOIN activity USING (learner)
    CROSS JOIN LATERAL (VALUES (begun_at), (done_at)) AS moment (at)
    WHERE moment.at <= p_now)
  SELECT number, count(*), count(week.week)
  FROM beginning
  CROSS JOIN LATERAL generate_series(
    0, least(p_weeks - 1, floor(extract(epoch FROM p_now - first) / 604800)::integer)) AS number
  LEFT JOIN week ON week.learner = beginning.learner AND week.week = number
  GROUP BY number
$$;

CREATE FUNCTION waymark.report_retention(p_tenant text, p_class text, p_course text, p_now timestamptz, p_weeks integer)
RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object('week', week, 'learners', learners, 'active', active) ORDER BY week), '[]')
  FROM (
    SELECT week, sum(learners) AS learners, sum(active) AS active
    FROM waymark.retention_of(p_tenant, p_class, p_course, p_now, p_weeks) GROUP BY week) AS row
$$;

-- MARK: learners who move

-- Learners with their tokens and classes, by their names everywhere, after one of them.
CREATE FUNCTION waymark.people_of(p_tenant text, p_after uuid, p_limit integer)
RETURNS TABLE (learner uuid, person jsonb) LANGUAGE sql STABLE AS $$
  SELECT learner, jsonb_build_object(
    'uuid', learner, 'name', name, 'createdAt', waymark.written(created_at),
    'tokens', (
      SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'digest', digest, 'scope', scope, 'createdAt', waymark.written(token.created_at),
        'expiresAt', waymark.written(expires_at), 'revokedAt', waymark.written(revoked_at))) ORDER BY digest), '[]')
      FROM waymark.token WHERE tenant = p_tenant AND token.learner = row.learner),
    'classes', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('name', class, 'at', waymark.written(joined_at)) ORDER BY class), '[]')
      FROM waymark.member WHERE tenant = p_tenant AND member.learner = row.learner))
  FROM (
    SELECT * FROM waymark.learner WHERE tenant = p_tenant AND (p_after IS NULL OR learner > p_after)
    ORDER BY learner LIMIT p_limit) AS row
$$;

CREATE FUNCTION waymark.people(p_tenant text, p_after uuid, p_limit integer) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(person ORDER BY learner), '[]')
  FROM (SELECT * FROM waymark.people_of(p_tenant, p_after, p_limit) ORDER BY learner LIMIT p_limit) AS row
$$;

-- Takes a learner in whom another hub knows. What is known already changes nothing; a token that was taken back there is.
-- Returns what was new. Errors: WM001 erased.
CREATE FUNCTION waymark.take_person(p_tenant text, p_learner uuid, p_person jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  is_new boolean;
  tokens integer;
  memberships integer;
BEGIN
  IF EXISTS (SELECT FROM waymark.erased_learner WHERE tenant = p_tenant AND learner = p_learner) THEN
    RAISE 'erased' USING ERRCODE = 'WM001';
  END IF;
  INSERT INTO waymark.learner VALUES (p_tenant, p_learner, p_person->>'name', (p_person->>'createdAt')::timestamptz)
  ON CONFLICT DO NOTHING;
  is_new := FOUND;
  INSERT INTO waymark.token AS known
  SELECT p_tenant, p_learner, digest, scope, "createdAt", "expiresAt", "revokedAt"
  FROM jsonb_to_recordset(p_person->'tokens') AS token (
    digest text, scope text, "createdAt" timestamptz, "expiresAt" timestamptz, "revokedAt" timestamptz)
  ON CONFLICT (tenant, learner, digest) DO UPDATE SET revoked_at = excluded.revoked_at
  WHERE known.revoked_at IS NULL AND excluded.revoked_at IS NOT NULL;
  GET DIAGNOSTICS tokens = ROW_COUNT;
  INSERT INTO waymark.member
  SELECT p_tenant, p_learner, name, at
  FROM jsonb_to_recordset(p_person->'classes') AS class (name text, at timestamptz)
  ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS memberships = ROW_COUNT;
  RETURN jsonb_build_object('isNew', is_new, 'tokens', tokens, 'memberships', memberships);
END $$;

CREATE FUNCTION waymark.erased_of(p_tenant text) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
  SELECT learner FROM waymark.erased_learner WHERE tenant = p_tenant
$$;

CREATE FUNCTION waymark.erased_people(p_tenant text) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(learner ORDER BY learner), '[]') FROM waymark.erased_of(p_tenant) AS learner
$$;

-- Erases who was erased on another hub, and remembers it. Returns whether that is new.
CREATE FUNCTION waymark.bar(p_tenant text, p_learner uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM waymark.learner WHERE tenant = p_tenant AND learner = p_learner) THEN
    PERFORM waymark.erase_learner(p_tenant, p_learner);
    RETURN true;
  END IF;
  INSERT INTO waymark.erased_learner VALUES (p_tenant, p_learner) ON CONFLICT DO NOTHING;
  RETURN FOUND;
END $$;

CREATE FUNCTION waymark.tokens_of(p_tenant text, p_digest text, p_now timestamptz) RETURNS SETOF jsonb
LANGUAGE sql STABLE AS $$
  SELECT waymark.token(p_tenant, learner, p_digest, p_now) || jsonb_build_object('learner', learner)
  FROM waymark.token WHERE tenant = p_tenant AND digest = p_digest
$$;

-- A token that a hub on SQLite gave out, and that does not say whose it is.
CREATE FUNCTION waymark.moved_token(p_tenant text, p_digest text, p_now timestamptz) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT token FROM waymark.tokens_of(p_tenant, p_digest, p_now) AS token LIMIT 1
$$;
