-- Runs are written in the order of their time. An index in that order grows at its end, where pages are left full and one
-- page takes all that comes; in the opposite order every page is split in halves. Newest first is the same read backwards.

drop index ended_run_of_project;
create index ended_run_of_project on ended_run (project_id, created, id);

drop index ended_run_of_flow;
create index ended_run_of_flow on ended_run (flow_id, created, id);

drop index run_of_project;
create index run_of_project on run (project_id, created, id);
