-- Releases of projects (contract admin-api 11). The file is the project as the release left it.

create table project_release (
    id          text collate "C" primary key,
    created     timestamptz not null,
    updated     timestamptz not null,
    project_id  text collate "C" not null references project (id) on delete cascade,
    name        text not null,
    description text,
    type        text not null check (type in ('GIT', 'PROJECT', 'ROLLBACK')),
    imported_by text collate "C" references platform_user (id) on delete set null,
    file_id     text collate "C" not null
);

create index project_release_page on project_release (project_id, created, id);

-- Flows that a release has brought and that are still to be published: their triggers reach outside, which no transaction
-- waits for. A row outlives the process that wrote it.
create table release_publication (
    flow_id     text primary key references flow (id) on delete cascade,
    created     timestamptz not null,
    status      text not null check (status in ('ENABLED', 'DISABLED')),
    user_id     text not null,
    platform_id text not null
);

create index release_publication_age on release_publication (created);
