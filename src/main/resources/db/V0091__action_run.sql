-- Runs of single actions without a flow (decision 0460). The sealed input is removed when the run has ended.
create table action_run (
    id              text collate "C" primary key,
    created         timestamptz not null,
    platform_id     text collate "C" not null,
    project_id      text collate "C" not null references project (id) on delete cascade,
    user_id         text collate "C",
    piece_name      text collate "C" not null,
    piece_version   text collate "C" not null,
    action_name     text collate "C" not null,
    connection      text collate "C",
    origin          text not null check (origin in ('API', 'MCP')),
    timeout_seconds integer not null,
    on_crash        text not null check (on_crash in ('RETRY', 'FAIL')),
    start_key       text collate "C",
    fingerprint     text collate "C" not null,
    shown_input     bytea not null,
    sealed_input    bytea,
    status          text not null,
    started         timestamptz,
    ended           timestamptz,
    output          bytea,
    error_message   text,
    owner           text collate "C" not null default '',
    fence           bigint not null default 0
);
create unique index action_run_of_key on action_run (project_id, start_key) where start_key is not null;
create index action_run_of_project on action_run (project_id, created desc, id desc);
create index action_run_unfinished on action_run (created) where ended is null;
create index action_run_ended on action_run (ended) where ended is not null;
