-- Images that platforms and people show (contract admin-api 15.2, 18.2). Who shows one keeps its address.

create table picture (
    id          text collate "C" primary key,
    created     timestamptz not null,
    platform_id text collate "C" not null references platform (id),
    media_type  text not null,
    data        bytea not null
);

create index picture_of_platform on picture (platform_id);
