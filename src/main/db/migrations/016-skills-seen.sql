-- Skills as they were when the disk was last looked at, so that what changed since can be put on record.
CREATE TABLE skills_seen (
  key TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  stamp TEXT NOT NULL
) STRICT;
