-- Templates (contract admin-api 6.1). The flows are JSON text: chains of steps nest deeper than jsonb is read back.

create table template (
    id          text collate "C" primary key,
    created     timestamptz not null,
    updated     timestamptz not null,
    type        text not null check (type in ('OFFICIAL', 'SHARED', 'CUSTOM')),
    platform_id text collate "C" references platform (id),
    author      text not null,
    status      text not null check (status in ('PUBLISHED', 'ARCHIVED')),
    name        text not null,
    summary     text not null,
    description text not null,
    tags        jsonb not null,
    blog_url    text,
    metadata    jsonb,
    categories  text[] not null,
    flows       bytea not null,
    pieces      text[] not null,
    check ((type = 'CUSTOM') = (platform_id is not null))
);

create index template_of_platform on template (platform_id, created desc, id desc) where status = 'PUBLISHED';
