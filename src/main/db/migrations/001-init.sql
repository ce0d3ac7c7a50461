CREATE TABLE projects (
  dir TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  trusted INTEGER NOT NULL DEFAULT 0,
  opened_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  project_dir TEXT,
  model TEXT NOT NULL,
  state TEXT NOT NULL,
  active_skills TEXT NOT NULL DEFAULT '[]',
  next_step INTEGER NOT NULL DEFAULT 1,
  next_seq INTEGER NOT NULL DEFAULT 1,
  draft TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE messages (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  role TEXT NOT NULL,
  status TEXT NOT NULL,
  parts TEXT NOT NULL,
  -- What the provider returned, opaque (signatures, reasoning): sent back as it is.
  provider_messages TEXT,
  usage TEXT,
  model TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (session_id, seq)
) STRICT;

CREATE TABLE calls (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  -- The id that the provider gave; results are sent back under it.
  provider_call_id TEXT NOT NULL,
  step INTEGER NOT NULL,
  name TEXT NOT NULL,
  input TEXT NOT NULL,
  state TEXT NOT NULL,
  envelope TEXT,
  request_id TEXT,
  run_id TEXT,
  started_at INTEGER,
  ended_at INTEGER,
  UNIQUE (session_id, step)
) STRICT;
CREATE INDEX calls_by_message ON calls (message_id);

-- Requests, runs and audit outlive the chat they belong to.
CREATE TABLE requests (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  skill_key TEXT,
  script_path TEXT,
  plan TEXT NOT NULL,
  plan_hash TEXT NOT NULL,
  findings TEXT NOT NULL,
  ask_reason TEXT NOT NULL,
  review_required INTEGER NOT NULL,
  changed TEXT,
  status TEXT NOT NULL,
  decided_by TEXT,
  note TEXT,
  agent_name TEXT NOT NULL,
  last_user_message TEXT NOT NULL,
  restored INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  decided_at INTEGER,
  -- Set when the approval was spent on a run: it is good for one.
  used_at INTEGER
) STRICT;
CREATE UNIQUE INDEX requests_one_live ON requests (call_id) WHERE status = 'pending';
CREATE INDEX requests_by_script ON requests (skill_key, script_path, decided_at);
CREATE INDEX requests_by_status ON requests (status, created_at);

CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  request_id TEXT NOT NULL UNIQUE REFERENCES requests (id),
  session_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  skill_key TEXT,
  skill_name TEXT NOT NULL,
  script TEXT NOT NULL,
  tree_digest TEXT NOT NULL,
  plan_hash TEXT NOT NULL,
  argv TEXT NOT NULL,
  cwd TEXT NOT NULL,
  status TEXT NOT NULL,
  backend TEXT NOT NULL,
  -- What the sandbox could do at that time (SB-1).
  capabilities TEXT NOT NULL,
  interactive INTEGER NOT NULL DEFAULT 0,
  pid INTEGER,
  -- Start time of the process from /proc, so that a reused pid is never killed.
  pid_start TEXT,
  exit_code INTEGER,
  signal TEXT,
  output_bytes INTEGER NOT NULL DEFAULT 0,
  truncated INTEGER NOT NULL DEFAULT 0,
  started_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE INDEX runs_by_script ON runs (skill_key, script, started_at);
CREATE INDEX runs_by_status ON runs (status);

CREATE TABLE audit (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  session_id TEXT,
  target TEXT NOT NULL,
  data TEXT NOT NULL,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN
  SELECT RAISE (ABORT, 'the audit is append-only');
END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN
  SELECT RAISE (ABORT, 'the audit is append-only');
END;

-- What the last scan found, so that a start only reads what changed.
CREATE TABLE skill_cache (
  skill_md TEXT PRIMARY KEY,
  stamp TEXT NOT NULL,
  record TEXT NOT NULL
) STRICT;

CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE providers (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  label TEXT NOT NULL,
  base_url TEXT,
  models TEXT NOT NULL,
  key_source TEXT NOT NULL,
  key_env TEXT,
  key_sealed BLOB,
  -- Which store sealed it: a key that can't be opened after a change of the keyring is asked for again.
  key_backend TEXT,
  key_last4 TEXT,
  created_at INTEGER NOT NULL
) STRICT;
