-- Packages that a person let Satchel prepare for scripts of a skill with exactly these contents.
CREATE TABLE environments (
  folder TEXT PRIMARY KEY, -- its name under environments/
  key TEXT NOT NULL,
  kind TEXT NOT NULL,
  skill_key TEXT NOT NULL,
  skill_name TEXT NOT NULL,
  tree_digest TEXT NOT NULL,
  packages TEXT NOT NULL, -- JSON, as they were named
  digest TEXT NOT NULL, -- of everything in the folder
  bytes INTEGER NOT NULL,
  at INTEGER NOT NULL,
  used_at INTEGER NOT NULL
);
CREATE INDEX environments_by_key ON environments (key);
