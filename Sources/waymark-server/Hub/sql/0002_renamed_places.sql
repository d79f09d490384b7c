-- Places that were stored before their pages were renamed receive their other keys and their new titles.
--
-- The first other key stays, as in the SQLite store. A place also keeps its first parent, so that no place is its own ancestor.

ALTER FUNCTION waymark.push RENAME TO merge_record;

-- Merges a part of a learner's record with `merge_record`, and stores the other keys of known places.
CREATE FUNCTION waymark.push(
  p_tenant text, p_learner uuid, p_record jsonb, p_numbers bigint[], p_latest bigint, p_beginning text, p_now timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  answer CONSTANT jsonb := waymark.merge_record(
    p_tenant, p_learner, p_record, p_numbers, p_latest, p_beginning, p_now);
BEGIN
  UPDATE waymark.node AS known
  SET body = known.body || jsonb_build_object('sourceKey', sent->'sourceKey', 'title', sent->'title')
  FROM jsonb_array_elements(p_record->'nodes') WITH ORDINALITY AS list (sent, place)
  WHERE tenant = p_tenant AND learner = p_learner AND number = p_numbers[place]
    AND sent ? 'sourceKey' AND NOT known.body ? 'sourceKey';
  RETURN answer;
END $$;
