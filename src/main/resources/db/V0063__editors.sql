-- Who edits what just now, at which node: of no worth after a crash, and so not in the write-ahead log.
create unlogged table editor_lock (
  project_id text collate "C" not null,
  resource_id text not null,
  member_id text collate "C" not null,
  node_id text collate "C" not null,
  user_id text collate "C" not null,
  display_name text not null,
  primary key (project_id, resource_id)
);
create index editor_lock_of_node on editor_lock (node_id);

create unlogged table editor_presence (
  project_id text collate "C" not null,
  resource_id text not null,
  member_id text collate "C" not null,
  node_id text collate "C" not null,
  user_id text collate "C" not null,
  display_name text not null,
  email text not null,
  image_url text,
  primary key (project_id, resource_id, member_id)
);
create index editor_presence_of_node on editor_presence (node_id);
