-- Servers may end by what an agent run does. How often that happened is kept with the run, and counted at its next claim.

-- Servers that crashed while they owned the run, since its last new record; and the number of its records by then.
alter table agent_run add column crashes integer not null default 0;
alter table agent_run add column crash_progress integer not null default 0;
