-- Packages that are installed as pieces. The folder on disk is a cache of what stands here.
create table installed_piece (
    id           text collate "C" primary key,
    created      timestamptz not null,
    platform_id  text collate "C" references platform (id) on delete cascade,
    name         text collate "C" not null,
    version      text collate "C" not null,
    package_type text not null check (package_type in ('ARCHIVE', 'REGISTRY')),
    integrity    text not null,
    metadata     text not null,
    translations text not null,
    archive      bytea check ((archive is not null) = (package_type = 'ARCHIVE')),
    constraint installed_piece_version unique nulls not distinct (name, version, platform_id)
);

create index installed_piece_platform on installed_piece (platform_id);
