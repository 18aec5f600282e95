-- Systems outside that keep secrets. What was fetched of one before fresh_from is not used any more, on any node.
create table secret_manager (
    id            text collate "C" primary key,
    created       timestamptz not null,
    updated       timestamptz not null,
    platform_id   text collate "C" not null references platform (id),
    vendor        text collate "C" not null,
    name          text not null,
    scope         text collate "C" not null,
    project_ids   text[] not null,
    sealed_config bytea not null,
    fresh_from    timestamptz not null
);
create index secret_manager_of_platform on secret_manager (platform_id, created, id);

-- Whether a connection's value refers to a secret manager; the value itself is sealed.
alter table app_connection add column using_secret_manager boolean not null default false;
