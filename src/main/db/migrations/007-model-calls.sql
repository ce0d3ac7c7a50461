-- What each model call of a chat was made of (G6). Deleted with the chat.
CREATE TABLE model_calls (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  -- Within the chat, from 1.
  number INTEGER NOT NULL,
  -- 'answer', or 'summary' for one that summarised older messages.
  kind TEXT NOT NULL,
  -- The answer that came of it.
  message_id TEXT NOT NULL,
  model TEXT NOT NULL,
  -- JSON: pairs of part and hash, in the order in which they were sent.
  blocks TEXT NOT NULL,
  -- Hashes of the list of tools and of what was known of the catalogue.
  tools TEXT NOT NULL,
  catalogue TEXT NOT NULL,
  -- The messages: so many of the call before, then those of these hashes (JSON).
  kept INTEGER NOT NULL,
  added TEXT NOT NULL,
  -- Estimated tokens by part (JSON), and what the meter showed for such a call.
  parts TEXT NOT NULL,
  meter INTEGER NOT NULL,
  -- As the provider counted; NULL where it did not.
  usage TEXT,
  cost_usd REAL,
  -- NULL while it is under way, and after a crash.
  outcome TEXT,
  retries INTEGER NOT NULL DEFAULT 0,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  UNIQUE (session_id, number)
) STRICT;

-- Texts of model calls, each once in a chat.
CREATE TABLE call_texts (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  -- SHA-256.
  hash TEXT NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (session_id, hash)
) STRICT;
