-- Tests of flows. They belong to the flow and not to a version: a test states what every later version must do.
create table flow_test (
  flow_id text collate "C" not null references flow (id) on delete cascade,
  id text collate "C" not null,
  created timestamptz not null,
  updated timestamptz not null,
  name text not null,
  content bytea not null,
  primary key (flow_id, id)
);

-- Whether a flow of the project can only be published when its tests pass.
alter table project add column flow_tests_required boolean not null default false;
