-- MCP servers of projects, and what their clients have opened (contract flows-and-engine 28).

-- The token is found by its SHA-256, and kept sealed because it is shown again.
create table mcp_server (
    id             text collate "C" primary key,
    created        timestamptz not null,
    updated        timestamptz not null,
    project_id     text collate "C" not null unique references project (id) on delete cascade,
    token_hash     text not null unique,
    sealed_token   text not null,
    disabled_tools text[]
);

-- Sessions of clients that begin with a handshake. A session belongs to the holder of the token that opened it.
create table mcp_session (
    id       text collate "C" primary key,
    created  timestamptz not null,
    holder   text collate "C" not null,
    revision text not null,
    expires  timestamptz not null
);

create index mcp_session_expires on mcp_session (expires);

-- The project that a client works in whose consent opens all projects of the person.
create table mcp_project_context (
    grant_id   text collate "C" primary key references mcp_grant (id) on delete cascade,
    project_id text collate "C" not null references project (id) on delete cascade
);
