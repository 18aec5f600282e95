-- The newest migration that a node's release knows. What one of the release before could not read is written when no such
-- node lives any more; that one says nothing here.
alter table node add column schema_version text;
