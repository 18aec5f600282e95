-- The secrets that all nodes of a database share: the key that signs tokens, and every encryption key since the first, each
-- sealed with the one before it. Who was given any of them finds the newest.
create table cluster_secret (
  id bigint generated always as identity primary key,
  created timestamptz not null default now(),
  name text not null check (name in ('token', 'encryption')),
  sealed text not null
);

create trigger cluster_secret_logged after insert on cluster_secret
  for each row execute function log_change('secret', 'name');
