-- Files of agents as they were when the disk was last looked at, so that what changed since can be put on record.
CREATE TABLE agents_seen (
  path TEXT PRIMARY KEY, -- empty: that a first look was taken
  name TEXT NOT NULL,
  digest TEXT NOT NULL
) STRICT;
