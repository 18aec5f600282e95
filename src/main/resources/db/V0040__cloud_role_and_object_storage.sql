-- Connections by a role at a cloud provider, and the key by which this server tells clouds who asks (contract admin-api 34).
-- There is one key for all servers that share the database; it is sealed.

alter table app_connection drop constraint app_connection_type_check;
alter table app_connection add constraint app_connection_type_check
    check (type in ('SECRET_TEXT', 'BASIC_AUTH', 'CUSTOM_AUTH', 'NO_AUTH', 'OAUTH2', 'PLATFORM_OAUTH2', 'CLOUD_OAUTH2',
                    'OIDC'));

create table issuer_key (
    id         integer primary key check (id = 1),
    created    timestamptz not null,
    sealed_key bytea not null
);

-- Where the bytes of a file are (contract flows-and-engine 20.1): in the row, or in the object storage under a key.
alter table file add column location text not null default 'DB' check (location in ('DB', 'S3'));
alter table file add column s3_key text collate "C";
alter table file alter column data drop not null;
alter table file add constraint file_location
    check (location = 'DB' and data is not null and s3_key is null or location = 'S3' and data is null and s3_key is not null);

-- Objects whose rows are gone, by a clean-up or with their project. They are removed from the storage in the background.
create table file_leftover (
    s3_key  text collate "C" primary key,
    created timestamptz not null
);

create function file_leave_object() returns trigger language plpgsql as $$
begin
    insert into file_leftover (s3_key, created) values (old.s3_key, now()) on conflict do nothing;
    return null;
end
$$;

create trigger file_leave_object after delete on file for each row when (old.s3_key is not null)
    execute function file_leave_object();
