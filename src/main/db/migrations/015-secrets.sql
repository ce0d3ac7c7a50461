-- Secrets that skills may ask for by name (security.md 4.1). A value is only ever here sealed.
CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  note TEXT NOT NULL,
  source TEXT NOT NULL,
  -- The app's own variable, with the source 'env'.
  variable TEXT,
  sealed BLOB,
  -- Which store sealed it.
  backend TEXT,
  last4 TEXT,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;

-- Bound to the contents of the skill: any change voids it.
CREATE TABLE secret_grants (
  name TEXT NOT NULL REFERENCES secrets (name) ON DELETE CASCADE,
  skill_key TEXT NOT NULL,
  skill_name TEXT NOT NULL,
  tree_digest TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (name, skill_key)
) STRICT, WITHOUT ROWID;
