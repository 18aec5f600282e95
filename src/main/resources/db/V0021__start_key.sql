-- Keys under which runs have been started, for as long as a repeated start must not make another run.
create table start_key (
  flow_id text collate "C" not null,
  environment text collate "C" not null check (environment in ('PRODUCTION', 'TESTING')),
  key text collate "C" not null,
  -- The first run of the start, and when it was born: history is partitioned by that.
  run_id text collate "C" not null,
  run_created timestamptz not null,
  -- Id under which the first caller was told of the start; null when it was told of the run itself.
  call_id text,
  expires timestamptz not null,
  -- What the run answered first; null while it has not.
  answer bytea,
  primary key (flow_id, environment, key)
);

create index start_key_of_run on start_key (run_id);

-- Keys come in about the order in which they expire.
create index start_key_expired on start_key using brin (expires);
