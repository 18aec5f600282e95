-- What the logs of a flow version have in common; logs are kept without it. It stays longer than the runs that need it.

create table log_dictionary (
    flow_version_id text collate "C" primary key,
    text            bytea not null,
    last_asked      timestamptz not null
);
