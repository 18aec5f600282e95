-- Few runs have tags; they are found without reading those that have none.
create index ended_run_tagged on ended_run (project_id, created, id) where tags <> '{}';
