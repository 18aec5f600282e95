-- Runs that replay an earlier one. Apart from the runs, because next to none is one; goes with the runs of its day.
create table run_replay (
  run_id text collate "C" primary key,
  created timestamptz not null,
  replay_of text collate "C" not null,
  spec bytea not null
);

create index run_replay_of_time on run_replay (created);
create index run_replay_of_run on run_replay (replay_of);
