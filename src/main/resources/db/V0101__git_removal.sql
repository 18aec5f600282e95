-- Files of deleted flows and tables are removed from git repositories after the deletion. What is to be removed is kept until that is done.

-- Deleted flows and tables of projects with a development branch.
create table git_removal (
  id text collate "C" primary key,
  created timestamptz not null,
  project_id text not null references project (id) on delete cascade,
  kind text not null check (kind in ('FLOW', 'TABLE')),
  external_id text not null,
  -- user who has deleted it; null if no user has
  user_id text,
  -- number of attempts begun
  attempts integer not null default 0,
  -- time of the next attempt: the end of the claim during an attempt
  due timestamptz not null
);

create index git_removal_due on git_removal (due);
create index git_removal_project on git_removal (project_id);
