-- Set for a chat that tries the unsaved text of a skill: which skill, and the contents that are tried. It is in no list.
ALTER TABLE sessions ADD COLUMN trial TEXT;
