-- What others are told of a node: where it is, what it runs, and how busy it is.
alter table node
  add column started timestamptz not null default now(),
  add column contact timestamptz not null default now(),
  add column address text not null default '',
  add column release text not null default '',
  add column role text not null default 'all',
  add column load jsonb not null default '{}';
