-- Triggers that listen. "trigger_source" is what listens and when it is next due: a poll, or the renewal of a
-- registration. A source that is being worked on names its node, whose lease says whether that is still true.
create table trigger_source (
  id text collate "C" primary key,
  created timestamptz not null,
  updated timestamptz not null,
  project_id text not null,
  flow_id text not null references flow (id) on delete cascade,
  flow_version_id text not null,
  type text not null check (type in ('WEBHOOK', 'POLLING', 'APP_WEBHOOK', 'MANUAL')),
  trigger_name text not null,
  piece_name text not null,
  piece_version text not null,
  cron_expression text,
  timezone text,
  simulate boolean not null,
  deleted timestamptz,
  timer text check (timer in ('POLL', 'RENEW')),
  next_due timestamptz,
  owner text not null default '',
  fence bigint not null default 0
);

create unique index trigger_source_live on trigger_source (project_id, flow_id, simulate) where deleted is null;
create index trigger_source_due on trigger_source (next_due) where deleted is null and next_due is not null;
create index trigger_source_of_flow on trigger_source (flow_id);

-- Times at which a flow has fired: none twice, whatever clocks and nodes do.
create table trigger_fire (
  flow_id text not null references flow (id) on delete cascade,
  due timestamptz not null,
  primary key (flow_id, due)
);

-- Which events of which app a source hears of.
create table trigger_listener (
  source_id text not null references trigger_source (id) on delete cascade,
  project_id text not null,
  flow_id text not null,
  app_name text not null,
  event text not null,
  identifier text not null,
  primary key (app_name, event, identifier, source_id)
);

-- How calls of hooks ended.
create table trigger_tally (
  project_id text not null references project (id) on delete cascade,
  piece_name text not null,
  day date not null,
  status text not null check (status in ('COMPLETED', 'FAILED', 'INTERNAL_ERROR', 'TIMED_OUT')),
  runs bigint not null,
  primary key (project_id, piece_name, day, status)
);

-- Keys of items that were taken in lately: a second one within the window is dropped.
create table run_dedupe (
  flow_version_id text not null,
  key text not null,
  seen timestamptz not null,
  primary key (flow_version_id, key)
);

create index run_dedupe_seen on run_dedupe (seen);

-- How long a switch of the flow's trigger may take before it counts as left behind.
alter table flow add column operation_until timestamptz;
