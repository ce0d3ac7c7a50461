-- What each model call used, one row a call. Without a reference: what was spent stays spent when its chat is deleted.
CREATE TABLE spent (
  call_id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL,
  model TEXT NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cache_read_tokens INTEGER NOT NULL,
  cache_write_tokens INTEGER NOT NULL,
  -- 1: not all of it was counted by the provider.
  estimated INTEGER NOT NULL,
  -- When the call was made, in milliseconds since 1970.
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX spent_by_chat ON spent (session_id);
CREATE INDEX spent_by_time ON spent (at);

-- Answers of before, and what was counted of calls that no message has.
INSERT INTO spent
  SELECT id, session_id, model,
      max(0, CAST(coalesce(usage ->> '$.inputTokens', 0) AS INTEGER)),
      max(0, CAST(coalesce(usage ->> '$.outputTokens', 0) AS INTEGER)),
      max(0, CAST(coalesce(usage ->> '$.cacheReadTokens', 0) AS INTEGER)),
      max(0, CAST(coalesce(usage ->> '$.cacheWriteTokens', 0) AS INTEGER)),
      0, at
    FROM (
      SELECT id, session_id, model, usage, created_at AS at FROM messages
      UNION ALL
      SELECT id, session_id, model, usage, started_at AS at FROM model_calls
        WHERE message_id NOT IN (SELECT id FROM messages WHERE usage IS NOT NULL)
    )
    WHERE usage IS NOT NULL AND model IS NOT NULL AND json_valid(usage) AND json_type(usage) = 'object';
