-- Providers of language models. What proves who the platform is stands in sealed_auth; config holds nothing secret.
create table ai_provider (
    id               text collate "C" primary key,
    created          timestamptz not null,
    updated          timestamptz not null,
    platform_id      text collate "C" not null references platform (id),
    vendor           text collate "C" not null,
    display_name     text not null,
    config           jsonb not null,
    sealed_auth      bytea not null,
    enabled_for_chat boolean not null
);
create index ai_provider_of_platform on ai_provider (platform_id, vendor, created);
create unique index ai_provider_for_chat on ai_provider (platform_id) where enabled_for_chat;

-- Services that agents use as tools, one for each capability.
create table ai_tool (
    id          text collate "C" primary key,
    created     timestamptz not null,
    updated     timestamptz not null,
    platform_id text collate "C" not null references platform (id),
    capability  text collate "C" not null,
    service     text collate "C" not null,
    sealed_key  bytea not null,
    config      jsonb,
    enabled     boolean not null,
    constraint ai_tool_capability unique (platform_id, capability)
);
