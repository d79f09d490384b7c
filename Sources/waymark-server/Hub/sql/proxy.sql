-- Replaces the functions of the migrations on a proxy. The replacements have the same names and parameters. PL/Proxy
-- forwards each call to the database of the learner, or to all databases. Runs after each migration, in the same
-- transaction.

DO $do$
DECLARE
  known record;
  place text;
BEGIN
  FOR known IN
    SELECT proname AS name, pg_get_function_arguments(oid) AS parameters, pg_get_function_result(oid) AS result,
      proargnames AS names, proretset AS is_set
    FROM pg_proc
    WHERE pronamespace = 'waymark'::regnamespace AND 'p_tenant' = ANY (proargnames) AND proname NOT LIKE 'every\_%'
      AND proname NOT IN ('learner_named', 'new_learner', 'tokens')
  LOOP
    IF 'p_learner' = ANY (known.names) OR known.is_set THEN
      place := CASE WHEN 'p_learner' = ANY (known.names) THEN 'hashtext(p_learner::text)' ELSE 'ALL' END;
      EXECUTE format(
        'CREATE OR REPLACE FUNCTION waymark.%I(%s) RETURNS %s LANGUAGE plproxy AS $$ CLUSTER ''waymark''; RUN ON %s; $$',
        known.name, known.parameters, known.result, place);
    ELSIF known.result IN ('integer', 'boolean', 'text') THEN
      -- An operation on a tenant runs on all databases. Counts are added, and Booleans are true if they are true
      -- anywhere.
      EXECUTE format(
        'CREATE OR REPLACE FUNCTION waymark.%I(%s) RETURNS SETOF %s LANGUAGE plproxy AS '
        '$$ CLUSTER ''waymark''; RUN ON ALL; TARGET waymark.%I; $$',
        'every_' || known.name, known.parameters, known.result, known.name);
      EXECUTE format(
        'CREATE OR REPLACE FUNCTION waymark.%I(%s) RETURNS %s LANGUAGE sql AS '
        '$$ SELECT %s(answer)::%s FROM waymark.%I(%s) AS answer $$',
        known.name, known.parameters, known.result,
        CASE known.result WHEN 'integer' THEN 'sum' WHEN 'boolean' THEN 'bool_or' ELSE 'max' END, known.result,
        'every_' || known.name, array_to_string(known.names, ', '));
    END IF;
  END LOOP;
END $do$;

CREATE OR REPLACE FUNCTION waymark.every_tokens(p_tenant text) RETURNS SETOF jsonb LANGUAGE plproxy AS $$
  CLUSTER 'waymark'; RUN ON ALL; TARGET waymark.tokens;
$$;

CREATE OR REPLACE FUNCTION waymark.tokens(p_tenant text) RETURNS jsonb LANGUAGE sql AS $$
  SELECT coalesce(jsonb_agg(token ORDER BY token->>'createdAt', token->>'digest'), '[]')
  FROM waymark.every_tokens(p_tenant) AS list, jsonb_array_elements(list) AS token
$$;

CREATE OR REPLACE FUNCTION waymark.every_learner_named(p_tenant text, p_name text) RETURNS SETOF uuid
LANGUAGE plproxy AS $$
  CLUSTER 'waymark'; RUN ON ALL;
  SELECT learner FROM waymark.learner WHERE tenant = p_tenant AND name = p_name;
$$;

CREATE OR REPLACE FUNCTION waymark.new_learner(p_tenant text, p_name text, p_new uuid, p_now timestamptz) RETURNS uuid
LANGUAGE plproxy AS $$
  CLUSTER 'waymark'; RUN ON hashtext(p_new::text); TARGET waymark.learner_named;
$$;

CREATE OR REPLACE FUNCTION waymark.learner_named(p_tenant text, p_name text, p_new uuid, p_now timestamptz) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
  known uuid;
BEGIN
  -- Without the lock, two concurrent calls would create two learners of the same name, possibly on two databases.
  PERFORM pg_advisory_xact_lock(hashtextextended(p_tenant || E'\u001F' || p_name, 0));
  SELECT learner INTO known FROM waymark.every_learner_named(p_tenant, p_name) AS learner ORDER BY learner LIMIT 1;
  RETURN coalesce(known, waymark.new_learner(p_tenant, p_name, p_new, p_now));
END $$;
