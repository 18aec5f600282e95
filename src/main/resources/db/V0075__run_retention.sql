-- How long the ended runs of a project, or of one of its flows, are kept where that is shorter than what the server keeps.
create table run_retention (
  project_id text not null references project (id) on delete cascade,
  flow_id text references flow (id) on delete cascade,
  days integer not null check (days > 0),
  unique nulls not distinct (project_id, flow_id)
);
create index run_retention_of_flow on run_retention (flow_id) where flow_id is not null;
