-- What a step was told when it changed a stored value: a step that is repeated after a crash is told the same again, and
-- changes nothing. The receipt is a digest of the step's idempotency key. Old ones are removed by those who come after.

create table store_receipt (
    project_id text collate "C" not null references project (id) on delete cascade,
    receipt    text collate "C" not null,
    created    timestamptz not null,
    answer     text,
    primary key (project_id, receipt)
);

create index store_receipt_created on store_receipt (created);
