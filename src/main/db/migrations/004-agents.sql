-- Who a chat is with, and the file that it began with: kept until the person takes the new one.
ALTER TABLE sessions ADD COLUMN agent TEXT NOT NULL DEFAULT 'general';
ALTER TABLE sessions ADD COLUMN agent_scope TEXT NOT NULL DEFAULT 'bundled';
-- '' for chats from before agents had files: they follow the file of now.
ALTER TABLE sessions ADD COLUMN agent_digest TEXT NOT NULL DEFAULT '';

CREATE TABLE agent_files (
  digest TEXT PRIMARY KEY,
  text TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Files of projects whose "allow" a person confirmed. By digest: another file is another question.
CREATE TABLE agent_confirmations (
  project_dir TEXT NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (project_dir, digest)
) STRICT, WITHOUT ROWID;
