-- The copy of a skill that an entry is about, for what its page counts.
ALTER TABLE audit ADD COLUMN skill_key TEXT GENERATED ALWAYS AS (
  CASE WHEN json_valid (data) THEN json_extract (data, '$.key') END
) VIRTUAL;
CREATE INDEX audit_by_skill_key ON audit (skill_key, action, at) WHERE skill_key IS NOT NULL;

-- Contents that a copy of a skill was seen with, so that they can be compared and brought back.
CREATE TABLE skill_versions (
  skill_key TEXT NOT NULL,
  -- Tree digest.
  digest TEXT NOT NULL,
  -- Milliseconds since 1970, the last time that they came to be there.
  seen_at INTEGER NOT NULL,
  -- 'page', 'disk', 'saved' or 'restored'.
  how TEXT NOT NULL,
  PRIMARY KEY (skill_key, digest)
) STRICT, WITHOUT ROWID;
CREATE INDEX skill_versions_by_time ON skill_versions (seen_at);
