-- Platforms, the people on them, and the keys that act for them (contract admin-api 15.1, 18.1, 20).
-- Ids compare byte by byte, so that the order of a page does not depend on the database's locale.

create table platform (
    id                         text collate "C" primary key,
    created                    timestamptz not null,
    updated                    timestamptz not null,
    owner_id                   text collate "C" not null,
    name                       text not null,
    primary_color              text not null default '#2f6f5e',
    theme_colors               jsonb,
    logo_icon_url              text not null default '/assets/logo-icon.svg',
    full_logo_url              text not null default '/assets/logo-full.svg',
    fav_icon_url               text not null default '/assets/favicon.svg',
    filtered_piece_names       text[] not null default '{}',
    filtered_piece_behavior    text not null default 'BLOCKED'
        check (filtered_piece_behavior in ('ALLOWED', 'BLOCKED')),
    cloud_auth_enabled         boolean not null default true,
    google_auth_enabled        boolean not null default true,
    email_auth_enabled         boolean not null default true,
    enforce_allowed_auth_domains boolean not null default false,
    allowed_auth_domains       text[] not null default '{}',
    allowed_embed_origins      text[] not null default '{}',
    sso_domain                 text,
    sso_domain_verification    jsonb,
    pinned_pieces              text[] not null default '{}',
    piece_selector_config      jsonb
);

-- A person, known by one e-mail address over the whole installation.
create table user_identity (
    id             text collate "C" primary key,
    created        timestamptz not null,
    updated        timestamptz not null,
    email          text not null unique,
    password_hash  text not null,
    first_name     text not null,
    last_name      text not null,
    provider       text not null check (provider in ('EMAIL', 'GOOGLE', 'SAML', 'JWT')),
    verified       boolean not null,
    track_events   boolean not null,
    news_letter    boolean not null,
    token_version  text,
    image_url      text
);

-- A person on one platform. Not called "user": unquoted, that word is a function in SQL and reads as no mistake.
create table platform_user (
    id               text collate "C" primary key,
    created          timestamptz not null,
    updated          timestamptz not null,
    identity_id      text collate "C" not null references user_identity (id),
    platform_id      text collate "C" not null references platform (id),
    platform_role    text not null check (platform_role in ('ADMIN', 'OPERATOR', 'MEMBER')),
    status           text not null check (status in ('ACTIVE', 'INACTIVE')),
    external_id      text,
    last_active_date timestamptz,
    unique (platform_id, identity_id)
);

create unique index platform_user_external_id on platform_user (platform_id, external_id)
    where external_id is not null;

-- The platform and its owner name each other and are born in one transaction.
alter table platform
    add constraint platform_owner foreign key (owner_id) references platform_user (id) deferrable initially deferred;

create table api_key (
    id              text collate "C" primary key,
    created         timestamptz not null,
    updated         timestamptz not null,
    platform_id     text collate "C" not null references platform (id),
    display_name    text not null,
    hashed_value    text not null unique,
    truncated_value text not null,
    last_used_at    timestamptz
);

create index api_key_platform on api_key (platform_id, created, id);
