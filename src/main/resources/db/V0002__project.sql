-- Projects, who may do what in them, and who hears of their failures (contract admin-api 3, 4, 5, 24).

create table project (
    id                  text collate "C" primary key,
    created             timestamptz not null,
    updated             timestamptz not null,
    deleted             timestamptz,
    platform_id         text collate "C" not null references platform (id),
    owner_id            text collate "C" not null references platform_user (id),
    display_name        text not null,
    type                text not null check (type in ('TEAM', 'PERSONAL')),
    icon_color          text not null,
    external_id         text,
    releases_enabled    boolean not null,
    max_concurrent_jobs integer check (max_concurrent_jobs > 0),
    metadata            jsonb,
    pool_id             text collate "C"
);

create index project_page on project (platform_id, created, id) where deleted is null;

create unique index project_external_id on project (platform_id, external_id)
    where external_id is not null and deleted is null;

create unique index project_personal on project (platform_id, owner_id)
    where type = 'PERSONAL' and deleted is null;

create index project_deleted on project (deleted) where deleted is not null;

create table project_plan (
    id                 text collate "C" primary key,
    created            timestamptz not null,
    updated            timestamptz not null,
    project_id         text collate "C" not null unique references project (id) on delete cascade,
    locked             boolean not null,
    name               text not null,
    pieces_filter_type text not null check (pieces_filter_type in ('NONE', 'ALLOWED')),
    pieces             text[] not null
);

create table project_role (
    id          text collate "C" primary key,
    created     timestamptz not null,
    updated     timestamptz not null,
    name        text not null,
    permissions text[] not null,
    platform_id text collate "C" references platform (id),
    type        text not null check (type in ('DEFAULT', 'CUSTOM')),
    unique nulls not distinct (platform_id, name),
    check ((type = 'DEFAULT') = (platform_id is null))
);

create table project_member (
    id              text collate "C" primary key,
    created         timestamptz not null,
    updated         timestamptz not null,
    platform_id     text collate "C" not null references platform (id),
    project_id      text collate "C" not null references project (id) on delete cascade,
    user_id         text collate "C" not null references platform_user (id) on delete cascade,
    project_role_id text collate "C" not null references project_role (id),
    unique (project_id, user_id, platform_id)
);

create index project_member_user on project_member (user_id);

create table alert (
    id         text collate "C" primary key,
    created    timestamptz not null,
    updated    timestamptz not null,
    project_id text collate "C" not null references project (id) on delete cascade,
    channel    text not null check (channel in ('EMAIL')),
    receiver   text not null,
    unique (project_id, channel, receiver)
);

insert into project_role (id, created, updated, name, permissions, platform_id, type)
values
    ('defaultRoleAdmin00000', now(), now(), 'Admin',
     array['READ_APP_CONNECTION', 'WRITE_APP_CONNECTION', 'READ_FLOW', 'WRITE_FLOW', 'UPDATE_FLOW_STATUS',
           'READ_PROJECT_MEMBER', 'WRITE_PROJECT_MEMBER', 'READ_INVITATION', 'WRITE_INVITATION',
           'READ_PROJECT_RELEASE', 'WRITE_PROJECT_RELEASE', 'READ_RUN', 'WRITE_RUN', 'READ_ALERT', 'WRITE_ALERT',
           'READ_PROJECT', 'WRITE_PROJECT', 'READ_FOLDER', 'WRITE_FOLDER', 'READ_TABLE', 'WRITE_TABLE',
           'READ_MCP', 'WRITE_MCP', 'READ_KNOWLEDGE_BASE', 'WRITE_KNOWLEDGE_BASE', 'READ_VARIABLE',
           'WRITE_VARIABLE'],
     null, 'DEFAULT'),
    ('defaultRoleEditor0000', now(), now(), 'Editor',
     array['READ_APP_CONNECTION', 'WRITE_APP_CONNECTION', 'READ_FLOW', 'WRITE_FLOW', 'UPDATE_FLOW_STATUS',
           'READ_PROJECT_MEMBER', 'READ_INVITATION', 'READ_PROJECT_RELEASE', 'WRITE_PROJECT_RELEASE', 'READ_RUN',
           'WRITE_RUN', 'READ_PROJECT', 'READ_FOLDER', 'WRITE_FOLDER', 'READ_TABLE', 'WRITE_TABLE', 'READ_MCP',
           'WRITE_MCP', 'READ_KNOWLEDGE_BASE', 'WRITE_KNOWLEDGE_BASE', 'READ_VARIABLE', 'WRITE_VARIABLE'],
     null, 'DEFAULT'),
    ('defaultRoleViewer0000', now(), now(), 'Viewer',
     array['READ_APP_CONNECTION', 'READ_FLOW', 'READ_PROJECT_MEMBER', 'READ_INVITATION', 'READ_RUN', 'READ_PROJECT',
           'READ_FOLDER', 'READ_TABLE', 'READ_MCP', 'READ_KNOWLEDGE_BASE', 'READ_VARIABLE'],
     null, 'DEFAULT');
