-- MCP clients that registered themselves, and what people let them do (contract admin-api 33).

create table mcp_client (
    id             text collate "C" primary key,
    created        timestamptz not null,
    name           text,
    redirect_uris  text[] not null,
    grant_types    text[] not null,
    authentication text not null check (authentication in ('NONE', 'CLIENT_SECRET_POST', 'CLIENT_SECRET_BASIC')),
    secret_hash    text,
    check ((authentication = 'NONE') = (secret_hash is null))
);

-- One consent: first it has a code, then a refresh token. Both are kept as SHA-256 only.
create table mcp_grant (
    id             text collate "C" primary key,
    created        timestamptz not null,
    client_id      text collate "C" not null references mcp_client (id),
    user_id        text collate "C" not null references platform_user (id) on delete cascade,
    platform_id    text collate "C" not null references platform (id),
    project_id     text collate "C" references project (id) on delete cascade,
    resource       text,
    redirect_uri   text not null,
    code_challenge text not null,
    code_hash      text not null unique,
    refresh_hash   text unique,
    expires        timestamptz not null,
    revoked        boolean not null default false
);

create index mcp_grant_expires on mcp_grant (expires);
create index mcp_grant_user on mcp_grant (user_id);
create index mcp_grant_project on mcp_grant (project_id) where project_id is not null;
