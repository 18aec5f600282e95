-- When a round of housekeeping is due that one node does for all.
create table housekeeping_round (
  name text primary key,
  due timestamptz not null
);
