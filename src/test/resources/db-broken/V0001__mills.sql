create table mill (id text primary key, created timestamptz not null);
