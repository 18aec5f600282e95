-- Whoever looks for work takes it from the projects in turn.
create index run_claimable_of_project on run (owner, project_id, created) where status <> 'PAUSED';
drop index run_claimable;
