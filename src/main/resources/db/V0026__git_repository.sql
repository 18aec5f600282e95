-- The repository that a project is kept in: one for each project (contract admin-api 10). The key is sealed; host_key is
-- what the server showed with the first contact, as a line of a known_hosts file without the name.

create table git_repo (
    id          text collate "C" primary key,
    created     timestamptz not null,
    updated     timestamptz not null,
    project_id  text collate "C" not null unique references project (id) on delete cascade,
    remote_url  text not null,
    branch      text not null,
    branch_type text not null check (branch_type in ('PRODUCTION', 'DEVELOPMENT')),
    slug        text not null,
    sealed_key  bytea not null,
    host_key    text not null
);
