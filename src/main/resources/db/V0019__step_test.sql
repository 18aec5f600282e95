-- Runs that test a single step. Apart from the runs, because next to none is one; goes with the runs of its day.
create table step_test (
  run_id text primary key,
  created timestamptz not null,
  step_name text not null
);

create index step_test_of_time on step_test (created);
