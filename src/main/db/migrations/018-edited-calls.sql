-- What a person changed of a call before answering its request, as JSON; the model's own input stays as it was.
ALTER TABLE calls ADD COLUMN edited TEXT;
