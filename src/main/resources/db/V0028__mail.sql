-- Letters that no mail server has taken yet (contract admin-api 37.7). A letter is written in the transaction of what it
-- tells. It may hold a code that lets its reader in, so it is sealed. due is null when nobody will try again.

create table mail (
    id             text collate "C" primary key,
    created        timestamptz not null,
    platform_id    text collate "C" references platform (id) on delete cascade,
    sealed_content bytea not null,
    attempts       integer not null,
    due            timestamptz,
    expires        timestamptz not null,
    failure        text
);

create index mail_due on mail (due) where due is not null;
create index mail_expires on mail (expires);
