-- Cost of models in microdollars, and limits of a month for a project, a flow or an agent.
alter table model_usage add column cost_micros bigint not null default 0;

create table model_spending (
    project_id  text collate "C" not null references project (id) on delete cascade,
    month       date not null,
    scope       text collate "C" not null check (scope in ('FLOW', 'AGENT')),
    subject_id  text collate "C" not null,
    tokens      bigint not null,
    cost_micros bigint not null,
    primary key (project_id, month, scope, subject_id)
);
create index model_spending_of_month on model_spending (month);

create table model_limit (
    project_id            text collate "C" not null references project (id) on delete cascade,
    scope                 text collate "C" not null check (scope in ('PROJECT', 'FLOW', 'AGENT')),
    subject_id            text collate "C" not null,
    tokens_per_month      bigint check (tokens_per_month >= 0),
    cost_micros_per_month bigint check (cost_micros_per_month >= 0),
    primary key (project_id, scope, subject_id)
);
