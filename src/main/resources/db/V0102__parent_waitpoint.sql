-- Waitpoint at which the parent of a run awaits it, or the signed request id of its resume address; null for a parent that does
-- not wait. A failure of the run ends this wait only.
alter table run add column parent_waitpoint text;
alter table ended_run add column parent_waitpoint text;

-- Runs that earlier releases started: the parent waits at the place where it is paused.
update run c set parent_waitpoint = w.id
from run p join waitpoint w on w.id = p.waitpoint_id
where c.parent_run_id = p.id and c.project_id = p.project_id and c.fail_parent
  and w.status = 'PENDING' and w.type = 'WEBHOOK' and w.created <= c.created
  and not exists (select from approval_task t where t.waitpoint_id = w.id);

update ended_run c set parent_waitpoint = w.id
from run p join waitpoint w on w.id = p.waitpoint_id
where c.parent_run_id = p.id and c.project_id = p.project_id and c.fail_parent
  and p.status = 'PAUSED' and w.status = 'PENDING' and w.type = 'WEBHOOK' and w.created <= c.created
  and not exists (select from approval_task t where t.waitpoint_id = w.id);
