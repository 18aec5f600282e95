-- Folders of flows; a flow of a deleted folder is in none (contract admin-api 9). Sample data and backups of flow
-- versions are files (contract flows-and-engine 20.2, 21).

create table folder (
  id            text collate "C" primary key,
  created       timestamptz not null,
  updated       timestamptz not null,
  project_id    text not null references project (id) on delete cascade,
  display_name  text not null,
  display_order double precision not null,
  external_id   text
);

create unique index folder_name on folder (project_id, lower(display_name));
create index folder_of_project on folder (project_id, created, id);

-- No folder existed before this release, so that what the column held pointed nowhere.
update flow set folder_id = null where folder_id is not null;

alter table flow add constraint flow_folder foreign key (folder_id) references folder (id) on delete set null;

create index flow_of_folder on flow (folder_id) where folder_id is not null;

alter table flow_version add column backup_files jsonb;

alter table file drop constraint file_type_check;
alter table file add constraint file_type_check check (type in (
  'FLOW_STEP_FILE', 'SAMPLE_DATA', 'SAMPLE_DATA_INPUT', 'FLOW_VERSION_BACKUP'));

-- These go with their flow, whose id their metadata holds.
create index file_of_flow on file ((metadata ->> 'flowId'))
  where type in ('SAMPLE_DATA', 'SAMPLE_DATA_INPUT', 'FLOW_VERSION_BACKUP');
