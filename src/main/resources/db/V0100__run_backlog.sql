-- Items of triggers beyond the runs that one transaction stores: each becomes a run without an owner.
create table run_backlog (
  id bigint generated always as identity primary key,
  project_id text not null,
  flow_id text not null references flow (id) on delete cascade,
  flow_version_id text not null,
  flow_name text not null,
  -- Outputs of the trigger as a JSON array.
  items bytea not null
);

create index run_backlog_of_flow on run_backlog (flow_id);
