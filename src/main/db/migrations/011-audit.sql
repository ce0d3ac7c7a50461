-- What the record is narrowed by, read out of the data that the chain covers.
ALTER TABLE audit ADD COLUMN skill TEXT GENERATED ALWAYS AS (
  CASE WHEN json_valid (data) THEN json_extract (data, '$.context.skill') END
) VIRTUAL;
ALTER TABLE audit ADD COLUMN agent TEXT GENERATED ALWAYS AS (
  CASE WHEN json_valid (data) THEN json_extract (data, '$.context.agent') END
) VIRTUAL;
ALTER TABLE audit ADD COLUMN project TEXT GENERATED ALWAYS AS (
  CASE WHEN json_valid (data) THEN json_extract (data, '$.context.project') END
) VIRTUAL;
CREATE INDEX audit_by_time ON audit (at, action);
CREATE INDEX audit_by_action ON audit (action, at);
CREATE INDEX audit_by_skill ON audit (skill, action);
CREATE INDEX audit_by_agent ON audit (agent);
CREATE INDEX audit_by_project ON audit (project);
CREATE INDEX audit_by_session ON audit (session_id);

-- The newest entry, beside the record: one whose end was cut off goes on after the gap, and so shows it.
CREATE TABLE audit_head (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT;
INSERT INTO audit_head SELECT 1, seq, hash FROM audit ORDER BY seq DESC LIMIT 1;

-- How far each file that the record is also written to has come.
CREATE TABLE audit_files (
  path TEXT PRIMARY KEY,
  seq INTEGER NOT NULL
) STRICT;
