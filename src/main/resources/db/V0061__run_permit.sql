-- How many of the permits of a project, flow or connection a node holds. Those of a node without a lease are free.
create table run_permit (
  key text not null,
  node_id text not null,
  permits integer not null,
  -- Since when, and when last, the node was short of permits.
  wanted_since timestamptz,
  wanted_at timestamptz,
  primary key (key, node_id)
);
