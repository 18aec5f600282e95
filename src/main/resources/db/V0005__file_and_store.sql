-- Files of steps and triggers, and stored values of pieces (contract flows-and-engine 20, 23). Both go with their
-- project.

create table file (
    id           text collate "C" primary key,
    created      timestamptz not null,
    expires      timestamptz,
    project_id   text collate "C" not null references project (id) on delete cascade,
    type         text not null check (type in ('FLOW_STEP_FILE')),
    file_name    text not null,
    content_type text not null,
    size         bigint not null check (size >= 0),
    metadata     jsonb not null,
    data         bytea not null
);

-- Files are mostly compressed already: trying again would only cost time.
alter table file alter column data set storage external;

create index file_of_project on file (project_id);
create index file_expires on file (expires) where expires is not null;

-- The value is JSON as text: jsonb would lose the order of fields and refuse the escape of the character NUL.
create table store_entry (
    id         text collate "C" primary key,
    created    timestamptz not null,
    updated    timestamptz not null,
    project_id text collate "C" not null references project (id) on delete cascade,
    key        text collate "C" not null,
    value      text not null,
    constraint store_entry_key unique (project_id, key)
);
