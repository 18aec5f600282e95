-- The last report on the work of a platform (contract admin-api 29): counted once, read often.

create table analytics_report (
    id          text collate "C" primary key,
    created     timestamptz not null,
    updated     timestamptz not null,
    platform_id text collate "C" not null unique references platform (id),
    cached_at   timestamptz not null,
    runs        jsonb not null,
    flows       jsonb not null
);
