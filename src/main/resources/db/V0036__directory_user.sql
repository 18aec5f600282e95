-- The name by which an organisation's directory knows a person (SCIM userName, contract admin-api 35); it need not be the
-- e-mail address. Empty for people who came another way.
alter table platform_user add column user_name text;

create unique index platform_user_user_name on platform_user (platform_id, lower(user_name)) where user_name is not null;
