-- Turned off by the person. By name, so that no other copy takes its place. '' means everywhere, every agent.
CREATE TABLE skill_switches (
  name TEXT NOT NULL,
  project_dir TEXT NOT NULL DEFAULT '',
  agent TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (name, project_dir, agent)
) STRICT, WITHOUT ROWID;

-- The copy that a person chose for a project.
CREATE TABLE skill_pins (
  project_dir TEXT NOT NULL,
  name TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (project_dir, name)
) STRICT, WITHOUT ROWID;

-- What scans find is kept in the index, which can be rebuilt at any time.
DROP TABLE skill_cache;
