-- What an API key may do, and until when (our extension of contract admin-api 20). No scopes: everything.

alter table api_key add column scopes text[] not null default '{}';
alter table api_key add column expires_at timestamptz;
