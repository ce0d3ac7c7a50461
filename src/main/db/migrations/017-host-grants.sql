-- Hosts that skills may reach when they run (security.md 1.4, SB-4). Bound to the contents of the skill: any change voids it.
CREATE TABLE host_grants (
  -- As `name:port`, or `*.name:port` for all names below one.
  host TEXT NOT NULL,
  skill_key TEXT NOT NULL,
  skill_name TEXT NOT NULL,
  tree_digest TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (host, skill_key)
) STRICT, WITHOUT ROWID;
