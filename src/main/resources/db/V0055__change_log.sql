-- What changed that nodes keep in memory (base.cluster): written by triggers in the change's own transaction, so that no
-- way to change a row can be forgotten. Readers go by transaction id: a row becomes visible after rows of later ids.
create table change_log (
  id bigint generated always as identity,
  transaction_id xid8 not null default pg_current_xact_id(),
  created timestamptz not null default now(),
  kind text not null,
  subject text not null
);

create index change_log_transaction on change_log (transaction_id);
create index change_log_created on change_log (created);

-- A text that is too long for a notification, for the nodes that are told of it.
create table cluster_message (
  id bigint generated always as identity primary key,
  created timestamptz not null default now(),
  body text not null
);

create index cluster_message_created on cluster_message (created);

create function log_change() returns trigger language plpgsql as $$
declare
  subject text;
begin
  if tg_op = 'DELETE' then
    execute format('select ($1).%I::text', tg_argv[1]) into subject using old;
  else
    execute format('select ($1).%I::text', tg_argv[1]) into subject using new;
  end if;
  insert into change_log (kind, subject) values (tg_argv[0], coalesce(subject, ''));
  return null;
end
$$;

create function log_pool_change() returns trigger language plpgsql as $$
begin
  insert into change_log (kind, subject) select 'project', id from project where pool_id = new.id;
  return null;
end
$$;

create function log_flows_of_project() returns trigger language plpgsql as $$
begin
  insert into change_log (kind, subject) select 'flow', id from flow where project_id = new.id;
  return null;
end
$$;

create trigger flow_deletion_logged after delete on flow
  for each row execute function log_change('flow', 'id');
create trigger flow_change_logged after update of status, published_version_id, operation_status on flow
  for each row
  when ((old.status, old.published_version_id, old.operation_status)
    is distinct from (new.status, new.published_version_id, new.operation_status))
  execute function log_change('flow', 'id');
create trigger flow_version_logged after insert or update or delete on flow_version
  for each row execute function log_change('flow', 'flow_id');
create trigger trigger_source_logged after insert or delete or update of simulate, deleted, flow_version_id on trigger_source
  for each row execute function log_change('flow', 'flow_id');
create trigger trigger_listener_logged after insert or delete on trigger_listener
  for each row execute function log_change('flow', 'flow_id');
create trigger project_change_logged after update of deleted, max_concurrent_jobs, pool_id on project
  for each row execute function log_change('project', 'id');
create trigger project_end_logged after update of deleted on project
  for each row when (old.deleted is null and new.deleted is not null) execute function log_flows_of_project();
create trigger concurrency_pool_logged after update on concurrency_pool
  for each row execute function log_pool_change();
create trigger flow_limit_logged after insert or update or delete on flow_limit
  for each row execute function log_change('limit', 'project_id');
create trigger installed_piece_logged after insert or update or delete on installed_piece
  for each row execute function log_change('piece', 'id');
create trigger app_connection_logged after insert or update or delete on app_connection
  for each row execute function log_change('connection', 'id');
create trigger connection_link_logged after insert or update or delete on global_connection_project
  for each row execute function log_change('connection', 'connection_id');
