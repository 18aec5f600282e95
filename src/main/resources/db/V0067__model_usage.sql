-- What projects use of the models of AI providers, in sums of a day, and how much they may.
create table model_usage (
    project_id    text collate "C" not null references project (id) on delete cascade,
    day           date not null,
    provider      text collate "C" not null,
    model         text not null,
    kind          text collate "C" not null check (kind in ('CHAT', 'EMBEDDING', 'IMAGE')),
    calls         bigint not null,
    input_tokens  bigint not null,
    output_tokens bigint not null,
    primary key (project_id, day, provider, model, kind)
);
create index model_usage_of_day on model_usage (day);

create table model_budget (
    project_id       text collate "C" primary key references project (id) on delete cascade,
    tokens_per_month bigint not null check (tokens_per_month >= 0)
);
