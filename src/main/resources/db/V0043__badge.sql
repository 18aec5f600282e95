-- Badges of people (contract admin-api 15.3): each is awarded once, and stays when its reason is gone.

create table user_badge (
    user_id text collate "C" not null references platform_user (id) on delete cascade,
    name    text collate "C" not null,
    created timestamptz not null,
    primary key (user_id, name)
);
