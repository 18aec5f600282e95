-- Invitations to a platform or to a team project (contract admin-api 16.1).

create table user_invitation (
    id              text collate "C" primary key,
    created         timestamptz not null,
    updated         timestamptz not null,
    email           text not null,
    status          text not null check (status in ('PENDING', 'ACCEPTED')),
    type            text not null check (type in ('PLATFORM', 'PROJECT')),
    platform_id     text collate "C" not null references platform (id),
    platform_role   text check (platform_role in ('ADMIN', 'OPERATOR', 'MEMBER')),
    project_id      text collate "C" references project (id) on delete cascade,
    project_role_id text collate "C" references project_role (id),
    constraint user_invitation_place unique nulls not distinct (email, platform_id, project_id),
    check ((type = 'PLATFORM') = (platform_role is not null)),
    check ((type = 'PROJECT') = (project_id is not null and project_role_id is not null))
);

create index user_invitation_page on user_invitation (platform_id, created, id);
