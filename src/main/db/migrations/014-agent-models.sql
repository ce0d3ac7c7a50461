-- What the person said of the models that agents of a chat want to work with (R11, R15).
ALTER TABLE sessions ADD COLUMN agent_models TEXT NOT NULL DEFAULT '[]';
