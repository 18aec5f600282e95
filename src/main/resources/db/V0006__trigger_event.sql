-- Payloads kept as samples of a flow's trigger.
create table trigger_event (
  id text primary key,
  created timestamptz not null,
  updated timestamptz not null,
  project_id text not null,
  flow_id text not null,
  source_name text not null,
  payload bytea not null
);

create index trigger_event_of_flow on trigger_event (flow_id, created desc, id desc);
