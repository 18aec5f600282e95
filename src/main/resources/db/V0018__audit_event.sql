-- The audit log (contract admin-api 21, 22). An event is kept as the text that its hash was made of: jsonb would order
-- and respell it. Projects and users are told apart by id only, because events outlive them.

create table audit_event (
    id          text collate "C" primary key,
    created     timestamptz not null,
    platform_id text collate "C" not null references platform (id) on delete cascade,
    project_id  text collate "C",
    user_id     text collate "C",
    action      text collate "C" not null,
    body        text not null,
    sequence    bigint not null,
    hash        bytea not null,
    constraint audit_event_sequence unique (platform_id, sequence)
);

create index audit_event_newest on audit_event (platform_id, created, id);
create index audit_event_age on audit_event (created);

-- The two ends of what is kept of a platform's chain: the last event that was forgotten, and the last there is, with its
-- time: no two events of a platform have the same, so that their order by time is that of the chain.
create table audit_chain (
    platform_id    text collate "C" primary key references platform (id) on delete cascade,
    length         bigint not null,
    hash           bytea not null,
    newest         timestamptz not null,
    forgotten      bigint not null,
    forgotten_hash bytea not null
);
