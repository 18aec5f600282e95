-- Users who have received the token of an MCP server, of a project or a custom one. The token is valid while all of them may read
-- it; a user who is deleted stays listed.
create table mcp_token_reader (
    server_id  text collate "C" not null,
    user_id    text collate "C" not null,
    project_id text collate "C" not null references project (id) on delete cascade,
    primary key (server_id, user_id)
);

create index mcp_token_reader_of_project on mcp_token_reader (project_id);

-- Earlier releases did not record readers: the members who could read the token of their project.
insert into mcp_token_reader (server_id, user_id, project_id)
select s.id, m.user_id, s.project_id
  from mcp_server s
  join project_member m on m.project_id = s.project_id
  join platform_user u on u.id = m.user_id and u.status = 'ACTIVE' and u.platform_role = 'MEMBER'
  join project_role r on r.id = m.project_role_id
 where r.permissions @> array['READ_AGENT', 'READ_APP_CONNECTION', 'READ_FLOW', 'READ_MCP', 'READ_RUN', 'READ_TABLE',
    'UPDATE_FLOW_STATUS', 'WRITE_AGENT', 'WRITE_FLOW', 'WRITE_MCP', 'WRITE_RUN', 'WRITE_TABLE'];
