-- Pages of the lists of people are read from an index, however many there are (contract admin-api 1.7).

create index platform_user_page on platform_user (platform_id, created, id);
create index project_member_page on project_member (project_id, created, id);
