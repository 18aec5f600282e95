-- Attempts of runs before a retry. Apart from the runs, because few are retried; go with the runs of their day.
create table run_attempt (
  -- The run that the retry continued or started.
  run_id text collate "C" not null,
  -- Order of the attempts of a run.
  position bigint generated always as identity,
  -- Creation of that run.
  created timestamptz not null,
  -- The run of the attempt: the same one, or the earlier one that was retried on the latest version.
  attempt_run_id text collate "C" not null,
  status text not null,
  start_time timestamptz,
  finish_time timestamptz,
  failed_step_name text,
  failed_step_display_name text,
  failed_step_message text,
  retried_at timestamptz not null,
  -- User who requested the retry; null for the server.
  retried_by text collate "C",
  primary key (run_id, position)
);

create index run_attempt_of_time on run_attempt (created);
create index run_attempt_of_run on run_attempt (attempt_run_id) where attempt_run_id <> run_id;
