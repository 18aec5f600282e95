-- Runs. Hot and cold apart: "run" holds live runs only, and is what is searched for work; "ended_run" is history,
-- partitioned by day of creation so that retention drops whole partitions.

create table node (
  id text primary key,
  lease_until timestamptz not null
);

create table run (
  id text primary key,
  created timestamptz not null,
  updated timestamptz not null,
  project_id text not null,
  flow_id text not null,
  flow_version_id text not null,
  environment text not null check (environment in ('PRODUCTION', 'TESTING')),
  status text not null check (status in ('QUEUED', 'RUNNING', 'PAUSED')),
  start_time timestamptz,
  parent_run_id text,
  fail_parent boolean not null,
  triggered_by text,
  flow_name text,
  tags text[] not null,
  payload bytea not null,
  owner text not null,
  fence bigint not null
);

create index run_of_project on run (project_id, created desc, id desc);
create index run_of_owner on run (owner);

-- Results of steps that have been recorded while their run lives; path is the step's place, loops included.
create table run_step (
  run_id text not null,
  path text not null,
  record bytea not null,
  primary key (run_id, path)
);

create table ended_run (
  id text not null,
  created timestamptz not null,
  updated timestamptz not null,
  project_id text not null,
  flow_id text not null,
  flow_version_id text not null,
  environment text not null,
  status text not null check (status not in ('QUEUED', 'RUNNING', 'PAUSED')),
  start_time timestamptz,
  finish_time timestamptz not null,
  parent_run_id text,
  fail_parent boolean not null,
  triggered_by text,
  flow_name text,
  tags text[] not null,
  failed_step_name text,
  failed_step_display_name text,
  failed_step_message text,
  steps_count integer not null,
  log bytea,
  primary key (id, created)
) partition by range (created);

create index ended_run_of_project on ended_run (project_id, created desc, id desc);

-- Catches what belongs to no day that has been prepared, so that a late clean-up never loses a run.
create table ended_run_other partition of ended_run default;
