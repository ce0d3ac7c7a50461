-- Text that was typed in the editor and not saved: offered again after a crash.
CREATE TABLE drafts (
  skill_key TEXT NOT NULL,
  path TEXT NOT NULL,
  text TEXT NOT NULL,
  -- sha256 of the file that it was typed over; null: there was none
  before TEXT,
  kept_at INTEGER NOT NULL,
  PRIMARY KEY (skill_key, path)
) STRICT;
