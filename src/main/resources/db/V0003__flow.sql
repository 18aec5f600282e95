-- Flows and their versions. The trigger with all steps is kept as JSON text in bytes: it is read and written
-- whole, its order of fields is kept, and a long chain of steps is deeper than jsonb may be.
create table flow (
  id text primary key,
  created timestamptz not null,
  updated timestamptz not null,
  project_id text not null references project (id) on delete cascade,
  external_id text not null,
  owner_id text,
  folder_id text,
  status text not null check (status in ('ENABLED', 'DISABLED')),
  published_version_id text unique,
  metadata jsonb,
  operation_status text not null check (operation_status in ('NONE', 'DELETING', 'ENABLING', 'DISABLING')),
  time_saved_per_run double precision,
  template_id text
);

create index flow_of_project on flow (project_id, status desc, updated desc, id desc);
create unique index flow_external_id on flow (project_id, external_id);

create table flow_version (
  id text primary key,
  created timestamptz not null,
  updated timestamptz not null,
  flow_id text not null references flow (id) on delete cascade,
  display_name text not null,
  trigger bytea not null,
  updated_by text,
  valid boolean not null,
  schema_version text,
  agent_ids text[] not null,
  connection_ids text[] not null,
  state text not null check (state in ('DRAFT', 'LOCKED')),
  notes text not null
);

create index flow_version_of_flow on flow_version (flow_id, created desc, id desc);
