-- What paused runs wait for. A waitpoint lives as long as its run.

create table waitpoint (
  id text primary key,
  created timestamptz not null,
  updated timestamptz not null,
  project_id text not null,
  run_id text not null,
  -- The step's place, loops included, and the waitpoint whose completion the step was executed with: a step that waits
  -- again makes another one, a step that is repeated after a crash finds the one it had made.
  path text not null,
  previous text not null default '',
  step_name text not null,
  type text not null check (type in ('DELAY', 'WEBHOOK')),
  version text not null check (version in ('V0', 'V1')),
  status text not null check (status in ('PENDING', 'COMPLETED')),
  resume_at timestamptz,
  resume_payload bytea,
  unique (run_id, path, previous)
);

create index waitpoint_due on waitpoint (resume_at) where status = 'PENDING' and resume_at is not null;

-- The waitpoint that the run is or was paused at, and the step that waits for it.
alter table run add column waitpoint_id text;
alter table run add column paused_path text;

-- What the run had done when it paused, for its readers.
alter table run add column steps_count integer not null default 0;
alter table run add column log bytea;
