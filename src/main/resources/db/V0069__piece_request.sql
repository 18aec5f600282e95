-- Pieces that people ask their administrators for (decision 0251). One open request for a version of a piece on a platform.
create table piece_request (
  id text primary key,
  created timestamptz not null,
  updated timestamptz not null,
  platform_id text not null references platform (id) on delete cascade,
  user_id text not null,
  piece_name text collate "C" not null,
  piece_version text not null,
  reason text not null,
  status text not null check (status in ('PENDING', 'APPROVED', 'DECLINED')),
  decided_by text,
  note text
);

create index piece_request_of_platform on piece_request (platform_id, created desc, id desc);
create unique index piece_request_open on piece_request (platform_id, piece_name, piece_version) where status = 'PENDING';
