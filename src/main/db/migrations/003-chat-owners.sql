-- The program that works on a chat now. A row whose program is gone counts as none.
CREATE TABLE chat_owners (
  session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  -- Name of the file that the program keeps locked while it lives.
  owner TEXT NOT NULL,
  -- 'window' or 'command'.
  kind TEXT NOT NULL,
  pid INTEGER NOT NULL,
  -- When the process started, milliseconds since 1970.
  started_at INTEGER NOT NULL,
  taken_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
