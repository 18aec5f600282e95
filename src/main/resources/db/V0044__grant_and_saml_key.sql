-- What a person let an MCP client do ends with the sessions of that person: a grant remembers the token version under which
-- it was given, as the token of a session does (contract admin-api 1.8, 32.7). Grants of before stay as they are.
alter table mcp_grant add column token_version text;

update mcp_grant g
   set token_version = i.token_version
  from platform_user u
  join user_identity i on i.id = u.identity_id
 where u.id = g.user_id;

-- The key with which identity providers encrypt what they say to this server. There is one for all servers that share the
-- database; its private half is sealed.
create table saml_key (
    id          integer primary key check (id = 1),
    created     timestamptz not null,
    certificate bytea not null,
    sealed_key  bytea not null
);
