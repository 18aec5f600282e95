-- Further MCP servers of a project, each with a chosen set of tools and its own token. The token is found by its SHA-256; it is
-- shown only when it is issued, so that it is not stored.
create table mcp_custom_server (
    id             text collate "C" primary key,
    created        timestamptz not null,
    updated        timestamptz not null,
    project_id     text collate "C" not null references project (id) on delete cascade,
    display_name   text not null,
    token_hash     text not null unique,
    all_flows      boolean not null,
    flow_ids       text[] not null,
    tables         boolean not null,
    platform_tools boolean not null,
    disabled_tools text[] not null,
    pinned_tools   text[] not null
);

create index mcp_custom_server_of_project on mcp_custom_server (project_id, created, id);

-- Tools that the project's own server lists even when it offers a search instead of all its tools.
alter table mcp_server add column pinned_tools text[] not null default '{}';
