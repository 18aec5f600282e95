-- Wrong passwords per hash of an e-mail address, whether it has an account or not.
create table password_failure (
    subject    text collate "C" primary key,
    failures   integer not null,
    window_end timestamptz not null
);

create index password_failure_age on password_failure (window_end);
