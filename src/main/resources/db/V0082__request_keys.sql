-- Keys under which API requests were sent, and what they were answered with (decision 0381). The id is a digest of caller,
-- route and key; a row without a status belongs to a request that is being performed, or whose server has ended.
create table request_key (
  id text primary key,
  caller text not null,
  fingerprint text not null,
  attempt text not null,
  created timestamptz not null default now(),
  lease_until timestamptz not null,
  expires timestamptz not null,
  status integer,
  content_type text,
  sealed_answer bytea,
  answer_bytes integer not null default 0
);
create index request_key_caller on request_key (caller, created) include (answer_bytes);
create index request_key_expires on request_key (expires);
