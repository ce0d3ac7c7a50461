-- The chat whose skill began this one in a context of its own; null: an ordinary chat. It goes with its parent.
ALTER TABLE sessions ADD COLUMN parent_id TEXT REFERENCES sessions (id) ON DELETE CASCADE;
-- By which call, for which skill, and the skills that led to it.
ALTER TABLE sessions ADD COLUMN fork TEXT;
CREATE INDEX sessions_by_parent ON sessions (parent_id);
-- The chat that a call began.
ALTER TABLE calls ADD COLUMN child_id TEXT;
