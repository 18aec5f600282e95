-- Tables of a project (contract flows-and-engine 22). A value is a text; what it is worth as a number, or as an instant in
-- a column of dates, stands beside it, so that filters compare by an index and never by reading texts.
create table data_table (
    id          text collate "C" primary key,
    created     timestamptz not null,
    updated     timestamptz not null,
    project_id  text collate "C" not null references project (id) on delete cascade,
    folder_id   text collate "C" references folder (id) on delete set null,
    name        text not null,
    external_id text collate "C" not null,
    status      text check (status in ('ENABLED', 'DISABLED')),
    trigger     text check (trigger in ('ON_NEW_RECORD', 'ON_UPDATE_RECORD')),
    -- How many records it has: whoever adds some holds this row, so that the limit holds too.
    records     integer not null default 0,
    constraint data_table_external_id unique (project_id, external_id)
);

create index data_table_page on data_table (project_id, created, id);
create index data_table_folder on data_table (folder_id) where folder_id is not null;

create table table_field (
    id          text collate "C" primary key,
    created     timestamptz not null,
    updated     timestamptz not null,
    table_id    text collate "C" not null references data_table (id) on delete cascade,
    project_id  text collate "C" not null references project (id) on delete cascade,
    name        text not null,
    external_id text collate "C" not null,
    type        text not null check (type in ('TEXT', 'NUMBER', 'DATE', 'DATETIME', 'STATIC_DROPDOWN')),
    data        jsonb,
    constraint table_field_external_id unique (table_id, external_id)
);

create index table_field_project on table_field (project_id);

create table table_record (
    id         text collate "C" primary key,
    created    timestamptz not null,
    updated    timestamptz not null,
    table_id   text collate "C" not null references data_table (id) on delete cascade,
    project_id text collate "C" not null references project (id) on delete cascade,
    -- Of the step that changed it last: one that is repeated after a crash is told from another.
    change_key text
);

create index table_record_page on table_record (table_id, created, id);
create index table_record_project on table_record (project_id);

create table table_cell (
    record_id text collate "C" not null references table_record (id) on delete cascade,
    field_id  text collate "C" not null references table_field (id) on delete cascade,
    created   timestamptz not null,
    updated   timestamptz not null,
    value     text collate "C" not null,
    number    double precision,
    instant   timestamptz,
    primary key (record_id, field_id)
);

-- A longer text has no place in an index: its beginning narrows the search, the whole decides.
create index table_cell_value on table_cell (field_id, left(value, 100));
create index table_cell_number on table_cell (field_id, number) where number is not null;
create index table_cell_instant on table_cell (field_id, instant) where instant is not null;

create table table_webhook (
    id         text collate "C" primary key,
    created    timestamptz not null,
    updated    timestamptz not null,
    project_id text collate "C" not null references project (id) on delete cascade,
    table_id   text collate "C" not null references data_table (id) on delete cascade,
    flow_id    text not null references flow (id) on delete cascade,
    events     text[] not null
);

create index table_webhook_table on table_webhook (table_id);
create index table_webhook_flow on table_webhook (flow_id);
create index table_webhook_project on table_webhook (project_id);

-- What webhooks have still to be told: written with the change of the record, removed when the flow has taken it.
create table table_event (
    id       text collate "C" primary key,
    created  timestamptz not null,
    flow_id  text not null references flow (id) on delete cascade,
    payload  jsonb not null,
    attempts integer not null default 0,
    due      timestamptz not null
);

create index table_event_due on table_event (due, id);
create index table_event_flow on table_event (flow_id);
