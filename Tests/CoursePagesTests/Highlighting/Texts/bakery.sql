-- What a bakery remembers of its days.
CREATE TABLE bread (
  id INTEGER PRIMARY KEY,
  title VARCHAR(40) NOT NULL UNIQUE,
  grams INT NOT NULL CHECK (grams > 0),
  price DECIMAL(6, 2) DEFAULT 0,
  baked DATE
);

CREATE INDEX bread_by_day ON bread (baked DESC);

/* Weekends count
   twice. */
INSERT INTO bread (id, title, grams, price, baked)
VALUES
  (1, 'Rye', 1000, 4.80, '2026-03-01'),
  (2, 'Baker''s wheat', 750, 3.90, '2026-03-01'),
  (3, 'Spelt', 500, 4.20, NULL);

SELECT b.title, SUM(s.pieces * b.price) AS taken, COUNT(*) AS sales
FROM sale AS s
INNER JOIN bread b ON b.id = s.bread_id
LEFT OUTER JOIN customer c ON c.id = s.customer_id AND c.city LIKE 'Tri%'
WHERE s.sold_at BETWEEN '2026-03-01' AND '2026-03-31'
  AND (b.grams >= 500 OR b.title <> 'Roll')
GROUP BY b.title
HAVING SUM(s.pieces) > 10
ORDER BY taken DESC, b.title
LIMIT 5 OFFSET 10;

update bread set price = price * 1.05 where grams < 600;
delete from sale where customer_id is null;

WITH RECURSIVE chain (id, parent, depth) AS (
  SELECT id, parent, 0 FROM dough WHERE parent IS NULL
  UNION ALL
  SELECT d.id, d.parent, chain.depth + 1
  FROM dough d JOIN chain ON d.parent = chain.id
)
SELECT "id", CASE WHEN depth = 0 THEN 'starter' ELSE 'dough' END AS "what it is"
FROM chain;

BEGIN TRANSACTION;
ALTER TABLE bread ADD COLUMN note TEXT;
CREATE VIEW cheap AS SELECT title FROM bread WHERE price < 4;
GRANT SELECT ON cheap TO apprentice;
DROP TABLE IF EXISTS leftover CASCADE;
COMMIT;

CREATE FUNCTION doubled(amount INTEGER) RETURNS INTEGER AS '
  SELECT amount * 2
' LANGUAGE sql IMMUTABLE;
