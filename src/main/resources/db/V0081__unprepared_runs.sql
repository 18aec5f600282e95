-- Whether the trigger has still to prepare the run (its start hook): of runs that are taken in as rows, before they begin.
alter table run add column unprepared boolean not null default false;
