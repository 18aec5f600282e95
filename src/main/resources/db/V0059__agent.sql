-- Agents that people keep. What an agent is told and which tools it has may hold secrets, so it is sealed.
create table agent (
    id               text collate "C" primary key,
    created          timestamptz not null,
    updated          timestamptz not null,
    project_id       text collate "C" not null references project (id) on delete cascade,
    owner_id         text collate "C" not null,
    external_id      text collate "C" not null,
    display_name     text not null,
    description      text,
    icon             text collate "C" not null,
    color            text collate "C" not null,
    visibility       text collate "C" not null,
    shared_with      text[] not null,
    sealed_draft     bytea not null,
    sealed_published bytea,
    unique (project_id, external_id)
);
create index agent_of_project on agent (project_id, updated desc, id);

-- Runs of agents: the state of the machine, and what the run works on, which may hold secrets of tools.
create table agent_run (
    id           text collate "C" primary key,
    created      timestamptz not null,
    updated      timestamptz not null,
    platform_id  text collate "C" not null,
    project_id   text collate "C" not null references project (id) on delete cascade,
    user_id      text collate "C",
    agent_id     text collate "C",
    flow_id      text collate "C",
    flow_run_id  text collate "C",
    waitpoint_id text collate "C",
    title        text not null,
    model_name   text not null,
    state        jsonb not null,
    sealed_work  bytea not null,
    tokens       bigint not null default 0,
    result       json,
    ended        timestamptz,
    delivered    boolean not null default false,
    cancelled    boolean not null default false,
    owner        text collate "C" not null default '',
    fence        bigint not null default 0
);
create unique index agent_run_of_waitpoint on agent_run (waitpoint_id) where waitpoint_id is not null;
create index agent_run_of_project on agent_run (project_id, created desc, id);
create index agent_run_of_agent on agent_run (agent_id, created desc, id) where agent_id is not null;
create index agent_run_to_do on agent_run (created) where not delivered;

-- What has happened in a run: the answer of the model in each turn (call -1), and the result of each of its tool calls.
create table agent_run_record (
    run_id  text collate "C" not null references agent_run (id) on delete cascade,
    turn    integer not null,
    call    integer not null,
    content json not null,
    primary key (run_id, turn, call)
);

update project_role set permissions = permissions || array['READ_AGENT', 'WRITE_AGENT'], updated = now()
 where type = 'DEFAULT' and name in ('Admin', 'Editor') and not permissions @> array['READ_AGENT'];
update project_role set permissions = permissions || array['READ_AGENT'], updated = now()
 where type = 'DEFAULT' and name not in ('Admin', 'Editor') and not permissions @> array['READ_AGENT'];
