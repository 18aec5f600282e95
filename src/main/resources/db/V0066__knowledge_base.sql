-- Documents of knowledge bases, and the chunks of their texts. A vector is 768 numbers of four bytes each.
create table knowledge_file (
    id           text collate "C" primary key,
    created      timestamptz not null,
    updated      timestamptz not null,
    project_id   text collate "C" not null references project (id) on delete cascade,
    file_id      text collate "C" not null,
    display_name text not null,
    state        text collate "C" not null check (state in ('UNINDEXED', 'INDEXING', 'READY', 'FAILED')),
    reason       text,
    provider     text collate "C",
    config_id    text collate "C",
    model        text,
    attempts     integer not null default 0,
    due          timestamptz not null
);
create index knowledge_file_of_project on knowledge_file (project_id, created desc, id desc);
create index knowledge_file_of_file on knowledge_file (file_id);
create index knowledge_file_to_do on knowledge_file (due) where state = 'INDEXING';

create table knowledge_chunk (
    id                text collate "C" primary key,
    created           timestamptz not null,
    updated           timestamptz not null,
    knowledge_file_id text collate "C" not null references knowledge_file (id) on delete cascade,
    chunk_index       integer not null,
    content           text not null,
    metadata          jsonb,
    revision          integer not null default 0,
    embedding         bytea check (octet_length(embedding) = 3072)
);
create index knowledge_chunk_of_file on knowledge_chunk (knowledge_file_id, id);
-- Vectors do not become smaller by packing.
alter table knowledge_chunk alter column embedding set storage external;
