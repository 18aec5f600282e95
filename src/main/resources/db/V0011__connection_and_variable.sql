-- Connections to other systems, the clients of a platform at OAuth providers, and variables (contract admin-api 7, 8,
-- 25, 27). What is secret in them is sealed.

-- A user as records show it: the field "owner" of connections and variables.
create view user_record as
select u.id,
       json_build_object(
           'id', u.id,
           'created', to_char(u.created at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'updated', to_char(u.updated at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'email', i.email,
           'firstName', i.first_name,
           'lastName', i.last_name,
           'status', u.status,
           'platformRole', u.platform_role,
           'platformId', u.platform_id,
           'externalId', u.external_id,
           'lastActiveDate', to_char(u.last_active_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'imageUrl', i.image_url) as record
  from platform_user u
  join user_identity i on i.id = u.identity_id;

create table variable (
    id           text collate "C" primary key,
    created      timestamptz not null,
    updated      timestamptz not null,
    project_id   text collate "C" not null references project (id) on delete cascade,
    name         text collate "C" not null,
    sealed_value bytea not null,
    owner_id     text collate "C" references platform_user (id) on delete set null,
    metadata     jsonb,
    constraint variable_name unique (project_id, name)
);

create table oauth_app (
    id            text collate "C" primary key,
    created       timestamptz not null,
    updated       timestamptz not null,
    platform_id   text collate "C" not null references platform (id),
    piece_name    text collate "C" not null,
    client_id     text not null,
    sealed_secret bytea not null,
    constraint oauth_app_piece unique (platform_id, piece_name)
);

-- A connection of scope PROJECT belongs to one project, one of scope PLATFORM is given to any number of them.
-- refresh_due is the instant from which its token must be renewed before use; whoever renews it holds the claim.
create table app_connection (
    id                          text collate "C" primary key,
    created                     timestamptz not null,
    updated                     timestamptz not null,
    external_id                 text collate "C" not null,
    display_name                text not null,
    type                        text not null check (type in ('SECRET_TEXT', 'BASIC_AUTH', 'CUSTOM_AUTH', 'NO_AUTH',
                                    'OAUTH2', 'PLATFORM_OAUTH2', 'CLOUD_OAUTH2')),
    scope                       text not null check (scope in ('PROJECT', 'PLATFORM')),
    status                      text not null check (status in ('ACTIVE', 'MISSING', 'ERROR')),
    piece_name                  text collate "C" not null,
    piece_version               text not null,
    platform_id                 text collate "C" not null references platform (id),
    project_id                  text collate "C" references project (id) on delete cascade,
    owner_id                    text collate "C" references platform_user (id) on delete set null,
    metadata                    jsonb,
    pre_select_for_new_projects boolean not null,
    sealed_value                bytea not null,
    refresh_due                 timestamptz,
    refresh_claim               text,
    refresh_claimed             timestamptz,
    check ((scope = 'PROJECT') = (project_id is not null))
);

create unique index app_connection_of_project on app_connection (project_id, external_id) where scope = 'PROJECT';
create unique index app_connection_of_platform on app_connection (platform_id, external_id) where scope = 'PLATFORM';
create index app_connection_page on app_connection (platform_id, created, id);

create table global_connection_project (
    connection_id text collate "C" not null references app_connection (id) on delete cascade,
    project_id    text collate "C" not null references project (id) on delete cascade,
    primary key (connection_id, project_id)
);

create index global_connection_project_project on global_connection_project (project_id);
