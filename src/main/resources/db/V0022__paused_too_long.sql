-- A pause that has lasted as long as it may: the step that waits goes on to fail.
alter table waitpoint add column expired boolean not null default false;

-- Finds the runs that have been paused for long. Entries live as long as the pauses.
create index run_paused on run (start_time) where status = 'PAUSED';
