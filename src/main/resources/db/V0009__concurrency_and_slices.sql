-- Pools of projects that share one limit of concurrent runs (contract admin-api 36.3).

create table concurrency_pool (
    id                  text collate "C" primary key,
    created             timestamptz not null,
    updated             timestamptz not null,
    platform_id         text collate "C" not null references platform (id),
    key                 text not null,
    max_concurrent_jobs integer not null check (max_concurrent_jobs > 0),
    unique (platform_id, key)
);

alter table project add constraint project_pool foreign key (pool_id) references concurrency_pool (id);
