-- The message that this one follows; null: it begins the chat, or it waits in the queue. No reference: a chat of
-- thousands of messages could not be deleted, because each would delete the next.
ALTER TABLE messages ADD COLUMN parent_id TEXT;
-- Active skills when it was said, for a branch that begins in its place; null: not known.
ALTER TABLE messages ADD COLUMN skills_before TEXT;
-- Active skills when the branch that ends here was left; null: it was not.
ALTER TABLE messages ADD COLUMN skills_after TEXT;
-- The end of the branch that is shown and goes on.
ALTER TABLE sessions ADD COLUMN leaf_id TEXT;

UPDATE messages SET parent_id = (
  SELECT earlier.id FROM messages AS earlier
  WHERE earlier.session_id = messages.session_id AND earlier.seq < messages.seq AND earlier.status <> 'queued'
  ORDER BY earlier.seq DESC LIMIT 1
) WHERE status <> 'queued';
UPDATE sessions SET leaf_id = (
  SELECT id FROM messages WHERE session_id = sessions.id AND status <> 'queued' ORDER BY seq DESC LIMIT 1
);

-- Changes of skills that agents ask for. They outlive the chat in which they were made.
CREATE TABLE proposals (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  step INTEGER NOT NULL,
  model TEXT NOT NULL,
  -- The copy that it was made for; null: a new skill.
  skill_key TEXT,
  skill_name TEXT NOT NULL,
  -- Digest of the files that it was made for; null: a new skill.
  base_digest TEXT,
  -- Where a new skill is to lie: personal or project; null: not said.
  scope TEXT,
  files TEXT NOT NULL,
  justification TEXT NOT NULL,
  evidence TEXT NOT NULL,
  -- Tokens of the body: after minus before.
  token_change INTEGER NOT NULL,
  -- It touches scripts, hooks, allowed-tools or execution.
  marked INTEGER NOT NULL,
  -- Same skill, same change: what was declined once is known again.
  change_hash TEXT NOT NULL,
  status TEXT NOT NULL,
  reason TEXT,
  created_at INTEGER NOT NULL,
  decided_at INTEGER
) STRICT;
CREATE INDEX proposals_by_status ON proposals (status, created_at);
CREATE INDEX proposals_by_change ON proposals (change_hash);
