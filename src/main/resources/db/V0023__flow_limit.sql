-- How many runs of a flow, and of the flows that share a connection, execute at once and start within a period.
create table flow_limit (
  flow_id text primary key references flow (id) on delete cascade,
  project_id text not null,
  updated timestamptz not null,
  limits jsonb not null
);

create index flow_limit_of_project on flow_limit (project_id);
