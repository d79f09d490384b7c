-- Pictures that texts show: kept once however many courses have them, under the name that their bytes give them.
CREATE TABLE picture (
  digest TEXT NOT NULL UNIQUE CHECK (length(digest) = 64),  -- SHA-256, in hexadecimal digits
  bytes BLOB NOT NULL CHECK (length(bytes) > 0)  -- the file: PNG, JPEG, GIF, WebP or SVG
) STRICT;

-- Which courses have which pictures, as their newest revision says. A picture that no course has is deleted.
CREATE TABLE coursePicture (
  course INTEGER NOT NULL REFERENCES contentNode (id),
  digest TEXT NOT NULL REFERENCES picture (digest),
  PRIMARY KEY (course, digest)
) STRICT, WITHOUT ROWID;

CREATE INDEX coursePictureDigest ON coursePicture (digest);
