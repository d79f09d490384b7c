-- Replaces functions of the migrations on a proxy. The replacements have the same names and parameters. PL/Proxy forwards a
-- call to the learner's database, or to all databases if the function returns a set for a tenant. The other functions run on
-- the proxy and call these. Runs after each migration, in the same transaction.

DO $do$
DECLARE
  known record;
BEGIN
  FOR known IN
    SELECT proname AS name, pg_get_function_arguments(oid) AS parameters, pg_get_function_result(oid) AS result,
      CASE WHEN 'p_learner' = ANY (proargnames) THEN 'hashtext(p_learner::text)' ELSE 'ALL' END AS place
    FROM pg_proc
    WHERE pronamespace = 'waymark'::regnamespace AND 'p_tenant' = ANY (proargnames)
      AND ('p_learner' = ANY (proargnames) OR proretset)
  LOOP
    EXECUTE format(
      'CREATE OR REPLACE FUNCTION waymark.%I(%s) RETURNS %s LANGUAGE plproxy AS $$ CLUSTER ''waymark''; RUN ON %s; $$',
      known.name, known.parameters, known.result, known.place);
  END LOOP;
END $do$;
