-- What a call changed in a file: path, digests before and after, the changed lines.
ALTER TABLE calls ADD COLUMN change TEXT;

-- Which bytes of a file a chat has seen: only those may be edited.
CREATE TABLE file_reads (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  PRIMARY KEY (session_id, path)
) STRICT, WITHOUT ROWID;
