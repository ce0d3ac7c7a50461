-- Decisions of a person that are used again (`approvals.md` 8).
CREATE TABLE rules (
  id TEXT PRIMARY KEY,
  -- The chat whose answer it is: it goes with it. NULL: it stays.
  chat_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
  -- 'on', 'off' or 'revoked'.
  state TEXT NOT NULL,
  -- JSON: effect, match, agent, project, expiry, and the request that it was made from.
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  use_count INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX rules_by_chat ON rules (chat_id);

-- Who asked for what and where, so that rules can be held against requests of before; NULL: not known.
ALTER TABLE requests ADD COLUMN tool TEXT;
ALTER TABLE requests ADD COLUMN agent_key TEXT;
ALTER TABLE requests ADD COLUMN project_dir TEXT;
-- The rule that decided, and what it said then.
ALTER TABLE requests ADD COLUMN rule_id TEXT;
ALTER TABLE requests ADD COLUMN rule_text TEXT;
CREATE INDEX requests_by_time ON requests (created_at);

-- How requests of a chat are decided; NULL: as its agent says.
ALTER TABLE sessions ADD COLUMN mode TEXT;
