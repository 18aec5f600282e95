-- Servers may end by what a run does. How often that happened is kept with the run, and counted before the run goes on.

-- Servers that ended while the run was at work, since it last got on; and how far it had got by then.
alter table run add column crashes integer not null default 0;
alter table run add column crash_progress bigint not null default 0;

-- The node that was taken for ended when the run was last counted: one that comes back takes the count back.
alter table run add column crashed_node text;

-- Whether the run has been taken over and not been read since: then it has no part in what becomes of its server.
alter table run add column unread boolean not null default false;

-- The step that is at work, of a run that is taken up after a crash.
alter table run add column step_at_work text;

-- Whether the node ended while a suspect was alone at work: the more of them ended so lately, the longer suspects wait.
alter table node add column ended_by_suspect boolean not null default false;
