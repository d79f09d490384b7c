-- The audit: erasures, changes of tokens, and reads of learners' data by commands.

-- Learners are named by UUID, so that an erasure leaves no name.
CREATE TABLE waymark.audit (
  tenant text NOT NULL,
  -- All zeros for all learners.
  learner uuid NOT NULL,
  entry uuid NOT NULL DEFAULT gen_random_uuid(),
  -- 0 for a command.
  token bigint NOT NULL,
  reader text NOT NULL,
  request text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (tenant, learner, entry)
);

CREATE FUNCTION waymark.note_audit(
  p_tenant text, p_learner uuid, p_token bigint, p_reader text, p_request text, p_now timestamptz) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO waymark.audit (tenant, learner, token, reader, request, at)
  VALUES (p_tenant, p_learner, p_token, p_reader, p_request, p_now)
$$;

CREATE FUNCTION waymark.audit_of(p_tenant text) RETURNS SETOF jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object(
    'token', token, 'reader', coalesce(actor.name, reader), 'request', request, 'at', waymark.written(at),
    'learner', CASE WHEN audit.learner <> '00000000-0000-0000-0000-000000000000'
      THEN coalesce(learner.name, audit.learner::text) END))
  FROM waymark.audit LEFT JOIN waymark.learner USING (tenant, learner)
    LEFT JOIN waymark.learner AS actor ON token <> 0 AND actor.tenant = p_tenant AND actor.learner::text = reader
  WHERE audit.tenant = p_tenant
$$;

-- Newest first.
CREATE FUNCTION waymark.audit(p_tenant text) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(entry ORDER BY entry->>'at' DESC), '[]') FROM waymark.audit_of(p_tenant) AS entry
$$;

CREATE FUNCTION waymark.erase_learner_audited(
  p_tenant text, p_learner uuid, p_token bigint, p_reader text, p_request text, p_now timestamptz) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM waymark.note_audit(p_tenant, p_learner, p_token, p_reader, p_request, p_now);
  RETURN waymark.erase_learner(p_tenant, p_learner);
END $$;

CREATE FUNCTION waymark.bar_audited(
  p_tenant text, p_learner uuid, p_token bigint, p_reader text, p_request text, p_now timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT waymark.bar(p_tenant, p_learner) THEN RETURN false; END IF;
  PERFORM waymark.note_audit(p_tenant, p_learner, p_token, p_reader, p_request, p_now);
  RETURN true;
END $$;

CREATE FUNCTION waymark.add_token_audited(
  p_tenant text, p_learner uuid, p_digest text, p_scope text, p_expires timestamptz,
  p_token bigint, p_reader text, p_request text, p_now timestamptz) RETURNS void
LANGUAGE sql AS $$
  SELECT waymark.note_audit(p_tenant, p_learner, p_token, p_reader, p_request, p_now);
  SELECT waymark.add_token(p_tenant, p_learner, p_digest, p_scope, p_now, p_expires);
$$;

-- Revokes the tokens whose digest begins so, and returns their number.
CREATE FUNCTION waymark.revoke_token_audited(
  p_tenant text, p_beginning text, p_token bigint, p_reader text, p_request text, p_now timestamptz) RETURNS integer
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM waymark.note_audit(p_tenant, learner, p_token, p_reader, p_request, p_now) FROM waymark.token
  WHERE tenant = p_tenant AND digest LIKE p_beginning || '%' AND revoked_at IS NULL;
  RETURN waymark.revoke_token(p_tenant, p_beginning, p_now);
END $$;

-- True if the database has the tables and functions of this version. Each migration that adds one replaces this function.
CREATE FUNCTION waymark.has_tables() RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT true $$;
