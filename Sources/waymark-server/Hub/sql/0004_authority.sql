-- Writes that check the token of their request in their own transaction.

-- Checks that a token is valid, and locks its row until the transaction ends, so that a revocation waits for the write. The
-- learner is locked first, in the order in which an erasure locks both. A null beginning of a digest stands for a write
-- without a token. Error: WM006 if the token is unknown, expired or revoked, or its learner was erased.
CREATE FUNCTION waymark.check_token(p_tenant text, p_learner uuid, p_beginning text, p_now timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF p_beginning IS NULL THEN RETURN; END IF;
  PERFORM FROM waymark.learner WHERE tenant = p_tenant AND learner = p_learner FOR UPDATE;
  PERFORM FROM waymark.token
  WHERE tenant = p_tenant AND learner = p_learner AND starts_with(digest, p_beginning) AND revoked_at IS NULL
    AND (expires_at IS NULL OR p_now < expires_at)
  FOR SHARE;
  IF NOT FOUND THEN RAISE 'no valid token' USING ERRCODE = 'WM006'; END IF;
END $$;

CREATE FUNCTION waymark.push_by(
  p_tenant text, p_learner uuid, p_record jsonb, p_limit timestamptz, p_beginning text, p_now timestamptz) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM waymark.check_token(p_tenant, p_learner, p_beginning, p_now);
  RETURN waymark.push(p_tenant, p_learner, p_record, p_limit);
END $$;

-- A comparison that erases nothing only reads, and takes no locks.
CREATE FUNCTION waymark.compare_by(
  p_tenant text, p_learner uuid, p_spoken uuid, p_erased jsonb, p_beginning text, p_now timestamptz) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  IF p_erased->'sessions' <> '[]' OR p_erased->'spans' <> '[]' THEN
    PERFORM waymark.check_token(p_tenant, p_learner, p_beginning, p_now);
  END IF;
  RETURN waymark.compare(p_tenant, p_learner, p_spoken, p_erased);
END $$;

CREATE FUNCTION waymark.erase_learner_by(
  p_tenant text, p_learner uuid, p_beginning text, p_token bigint, p_reader text, p_request text, p_now timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  PERFORM waymark.check_token(p_tenant, p_learner, p_beginning, p_now);
  RETURN waymark.erase_learner_audited(p_tenant, p_learner, p_token, p_reader, p_request, p_now);
END $$;

-- True if the database has the tables and functions of this version. The server calls it instead of `has_tables`, which
-- earlier versions still call.
CREATE FUNCTION waymark.checks_tokens() RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT true $$;

-- Writes a row of some pages and takes it back. PostgreSQL needs free disk space for it.
CREATE FUNCTION waymark.check_writing() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO waymark.migration (name, digest)
  SELECT 'check', string_agg(gen_random_uuid()::text, '') FROM generate_series(1, 2000);
  RAISE 'take back' USING ERRCODE = 'WM007';
EXCEPTION WHEN SQLSTATE 'WM007' THEN RETURN true;
END $$;
