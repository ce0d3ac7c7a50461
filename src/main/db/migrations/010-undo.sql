-- What a run changed, and what taking that back changed (runtime.md 7). They outlive the chat, as runs do.
CREATE TABLE change_sets (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  run_id TEXT NOT NULL REFERENCES runs (id),
  -- The set that an undo took back.
  of_id TEXT REFERENCES change_sets (id),
  root TEXT NOT NULL,
  -- 'open': an undo that has begun and not ended.
  state TEXT NOT NULL,
  coverage TEXT NOT NULL,
  -- Changes that are not listed, and paths of git that changed.
  more INTEGER NOT NULL DEFAULT 0,
  git INTEGER NOT NULL DEFAULT 0,
  -- Another run worked in the same folder at the same time.
  shared INTEGER NOT NULL DEFAULT 0,
  -- Looked at only when the app was started again after it had ended within the run.
  late INTEGER NOT NULL DEFAULT 0,
  -- The contents were given up: too old, or over the quota.
  expired INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX change_sets_by_run ON change_sets (run_id, created_at);

CREATE TABLE run_changes (
  set_id TEXT NOT NULL REFERENCES change_sets (id) ON DELETE CASCADE,
  n INTEGER NOT NULL,
  -- The bytes of the name, which need not be text.
  path BLOB NOT NULL,
  kind TEXT NOT NULL,
  before TEXT,
  after TEXT,
  PRIMARY KEY (set_id, n)
) STRICT, WITHOUT ROWID;
