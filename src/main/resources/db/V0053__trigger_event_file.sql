-- The payload of a trigger event is a file of its own, which its event names and with which the event goes.
-- Samples of projects that are gone had nobody to take them along.
delete from trigger_event e where not exists (select from project p where p.id = e.project_id);

-- An event has an id of the same form as a file, and no file has it yet.
insert into file (id, created, project_id, type, file_name, content_type, size, metadata, data)
select id, created, project_id, 'TRIGGER_EVENT_FILE', 'event.json', 'application/json', octet_length(payload),
       jsonb_build_object('flowId', flow_id), payload
  from trigger_event
on conflict (id) do nothing;

alter table trigger_event add column file_id text collate "C" references file (id) on delete cascade;
update trigger_event set file_id = id;
alter table trigger_event alter column file_id set not null;
alter table trigger_event drop column payload;
create index trigger_event_of_file on trigger_event (file_id);
