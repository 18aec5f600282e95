-- The definition that was applied to a project last, so that what changed since can be told.
create table project_definition (
  project_id text collate "C" primary key references project on delete cascade,
  applied timestamptz not null,
  applied_by text not null,
  revision text not null,
  definition bytea not null
);
