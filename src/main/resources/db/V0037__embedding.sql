-- Keys by which a product outside signs its users in, what was used already, and the tags by which it chooses pieces
-- (contract admin-api 13, 14, 36.5). Private halves of keys are nowhere.

create table signing_key (
    id           text collate "C" primary key,
    created      timestamptz not null,
    updated      timestamptz not null,
    platform_id  text collate "C" not null references platform (id),
    display_name text not null,
    public_key   text not null
);

create index signing_key_platform on signing_key (platform_id, created, id);

-- A token is good once. Its row is needed no longer than the token would be good.
create table used_external_token (
    digest  bytea primary key,
    expires timestamptz not null
);

create index used_external_token_expires on used_external_token (expires);

create table tag (
    id          text collate "C" primary key,
    created     timestamptz not null,
    updated     timestamptz not null,
    platform_id text collate "C" not null references platform (id),
    name        text collate "C" not null,
    constraint tag_name unique (platform_id, name)
);

create table piece_tag (
    piece_name text collate "C" not null,
    tag_id     text collate "C" not null references tag (id) on delete cascade,
    primary key (tag_id, piece_name)
);
