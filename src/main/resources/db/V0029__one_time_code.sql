-- Codes that were mailed to somebody (contract admin-api 32.6, 32.7). The subject is an address, or the id of an identity
-- for the links of the older kind. Nobody is named by a key: a code may be asked for before there is an account.

create table one_time_code (
    purpose     text not null check (purpose in ('SIGN_IN', 'EMAIL_VERIFICATION', 'PASSWORD_RESET')),
    subject     text collate "C" not null,
    sealed_code bytea,
    expires     timestamptz not null,
    failures    integer not null,
    letters     integer not null,
    wrong       integer not null,
    window_end  timestamptz not null,
    primary key (purpose, subject)
);

create index one_time_code_age on one_time_code (window_end);

-- Whoever signs in by mailed codes has no password.
alter table user_identity alter column password_hash drop not null;
