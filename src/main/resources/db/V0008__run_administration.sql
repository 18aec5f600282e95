-- Finding, archiving and retrying runs.

alter table run add column archived_at timestamptz;

-- Whether the payload has still to go through the trigger: of a run that is retried because its trigger had failed.
alter table run add column execute_trigger boolean not null default false;

alter table ended_run add column archived_at timestamptz;

-- The last ownership of the run. A retried run goes on behind it, so that no writer of an earlier life is let in.
alter table ended_run add column fence bigint not null default 0;

create index ended_run_of_flow on ended_run (flow_id, created desc, id desc);

-- What people look for and what most runs are not; so it costs next to nothing.
create index ended_run_unsuccessful on ended_run (project_id, created desc, id desc) where status <> 'SUCCEEDED';

create index run_of_parent on run (parent_run_id) where parent_run_id is not null;
create index ended_run_of_parent on ended_run (parent_run_id) where parent_run_id is not null;
