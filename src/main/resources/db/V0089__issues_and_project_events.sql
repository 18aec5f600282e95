-- Failures by cause ("issues"), and events of projects for listeners. A failed production run is recorded by the trigger that
-- already looks at failed runs only, so successful runs cost what they did. Failures are counted in batches by a worker and
-- by readers: an update of one counter by each failed run would make nodes wait for each other.
create table run_failure (
    sequence                 bigint generated always as identity primary key,
    run_id                   text collate "C" not null,
    project_id               text collate "C" not null,
    flow_id                  text collate "C" not null,
    failed                   timestamptz not null,
    status                   text not null,
    failed_step_name         text,
    failed_step_display_name text,
    failed_step_message      text
);

create index run_failure_of_project on run_failure (project_id, sequence);

-- cause_key is a hash of status, step and shape of the message. step_name is empty when the run failed outside of steps.
create table flow_issue (
    id                text collate "C" primary key,
    created           timestamptz not null,
    updated           timestamptz not null,
    project_id        text collate "C" not null references project (id) on delete cascade,
    flow_id           text collate "C" not null references flow (id) on delete cascade,
    cause_key         text collate "C" not null,
    cause             text not null,
    run_status        text not null,
    step_name         text not null,
    step_display_name text not null,
    message           text not null,
    status            text not null check (status in ('UNRESOLVED', 'RESOLVED', 'ARCHIVED')),
    status_changed    timestamptz not null,
    occurrences       bigint not null,
    first_occurrence  timestamptz not null,
    last_occurrence   timestamptz not null,
    last_run_id       text collate "C" not null,
    constraint flow_issue_cause unique (flow_id, cause_key)
);

create index flow_issue_newest on flow_issue (project_id, last_occurrence, id);
create index flow_issue_age on flow_issue (last_occurrence);

create table flow_issue_day (
    issue_id    text collate "C" not null references flow_issue (id) on delete cascade,
    day         date not null,
    occurrences bigint not null,
    primary key (issue_id, day)
);

create index flow_issue_day_age on flow_issue_day (day);

-- As before, with the record of the failure in front.
create or replace function note_failed_flow() returns trigger language plpgsql as $$
begin
    insert into run_failure (run_id, project_id, flow_id, failed, status, failed_step_name, failed_step_display_name,
                             failed_step_message)
    values (new.id, new.project_id, new.flow_id, new.finish_time, new.status, new.failed_step_name,
            new.failed_step_display_name, new.failed_step_message);
    if exists (
            select from failed_flow f where f.flow_version_id = new.flow_version_id and f.expires > new.finish_time)
        or not exists (select from alert a where a.project_id = new.project_id)
        or not pg_try_advisory_xact_lock(hashtextextended('failed_flow:' || new.flow_version_id, 0)) then
        return null;
    end if;
    insert into failed_flow (flow_version_id, flow_id, project_id, run_id, failed, expires, status, failed_step_name, told)
    values (new.flow_version_id, new.flow_id, new.project_id, new.id, new.finish_time,
            new.finish_time + interval '24 hours', new.status, new.failed_step_display_name, false)
        on conflict (flow_version_id) do update
       set run_id = excluded.run_id, failed = excluded.failed, expires = excluded.expires, status = excluded.status,
           failed_step_name = excluded.failed_step_name, told = false
     where failed_flow.expires <= excluded.failed;
    return null;
end
$$;

-- The newest failures of the time before this release.
insert into run_failure (run_id, project_id, flow_id, failed, status, failed_step_name, failed_step_display_name,
                         failed_step_message)
select e.id, e.project_id, e.flow_id, e.finish_time, e.status, e.failed_step_name, e.failed_step_display_name,
       e.failed_step_message
  from ended_run e
 where e.status <> 'SUCCEEDED' and e.status <> 'CANCELED' and e.environment = 'PRODUCTION'
   and e.created > now() - interval '7 days'
 order by e.created desc limit 10000;

-- Limits that end runs, with their former value: a diagnosis names a change. A row is written when a server notices another value.
create table server_setting (
    name    text collate "C" primary key,
    value   text not null,
    former  text,
    changed timestamptz not null
);

-- Projects whose events are recorded: from the first listener until some minutes after the last one, so that a listener which
-- connects again misses none. Events of transactions before "since" are incomplete.
create table event_listener (
    project_id    text collate "C" primary key references project (id) on delete cascade,
    since         xid8 not null,
    records_until timestamptz not null
);

-- A position is a transaction and a number in it: transactions end in another order than they take numbers, so that readers go
-- by transactions that have ended (as for change_log).
create table project_event (
    id             bigint generated always as identity primary key,
    transaction_id xid8 not null default pg_current_xact_id(),
    created        timestamptz not null default now(),
    project_id     text collate "C" not null,
    kind           text not null check (kind in ('run', 'failure', 'publication')),
    body           text not null
);

create index project_event_position on project_event (transaction_id, id);
create index project_event_of_project on project_event (project_id, transaction_id, id);
create index project_event_age on project_event (created);

create function project_event_of_run(id text, flow_id text, flow_version_id text, environment text, status text,
        created timestamptz, start_time timestamptz, finish_time timestamptz) returns text language sql stable as $$
    select json_strip_nulls(json_build_object(
        'id', id, 'flowId', flow_id, 'flowVersionId', flow_version_id, 'environment', environment, 'status', status,
        'created', to_char(created at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'startTime', to_char(start_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'finishTime', to_char(finish_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text
$$;

create function record_begun_runs() returns trigger language plpgsql as $$
begin
    insert into project_event (project_id, kind, body)
    select b.project_id, 'run', project_event_of_run(b.id, b.flow_id, b.flow_version_id, b.environment, b.status, b.created,
               b.start_time, null)
      from begun b join event_listener l on l.project_id = b.project_id and l.records_until > now();
    return null;
end
$$;

create trigger project_event_begun after insert on run
    referencing new table as begun for each statement execute function record_begun_runs();

create function record_changed_run() returns trigger language plpgsql as $$
begin
    insert into project_event (project_id, kind, body)
    select new.project_id, 'run', project_event_of_run(new.id, new.flow_id, new.flow_version_id, new.environment, new.status,
               new.created, new.start_time, null)
      from event_listener l where l.project_id = new.project_id and l.records_until > now();
    return null;
end
$$;

create trigger project_event_changed after update of status on run
    for each row when (old.status is distinct from new.status) execute function record_changed_run();

create function record_ended_runs() returns trigger language plpgsql as $$
begin
    insert into project_event (project_id, kind, body)
    select e.project_id, 'run', project_event_of_run(e.id, e.flow_id, e.flow_version_id, e.environment, e.status, e.created,
               e.start_time, e.finish_time)
      from ended e join event_listener l on l.project_id = e.project_id and l.records_until > now();
    insert into project_event (project_id, kind, body)
    select e.project_id, 'failure', json_strip_nulls(json_build_object(
               'runId', e.id, 'flowId', e.flow_id, 'environment', e.environment, 'status', e.status,
               'stepName', e.failed_step_name, 'stepDisplayName', e.failed_step_display_name))::text
      from ended e join event_listener l on l.project_id = e.project_id and l.records_until > now()
     where e.status <> 'SUCCEEDED' and e.status <> 'CANCELED';
    return null;
end
$$;

create trigger project_event_ended after insert on ended_run
    referencing new table as ended for each statement execute function record_ended_runs();

create function record_publication() returns trigger language plpgsql as $$
begin
    insert into project_event (project_id, kind, body)
    select new.project_id, 'publication', json_strip_nulls(json_build_object(
               'flowId', new.id, 'flowVersionId', new.published_version_id, 'status', new.status))::text
      from event_listener l where l.project_id = new.project_id and l.records_until > now();
    return null;
end
$$;

create trigger project_event_published after update of published_version_id, status on flow
    for each row when ((old.published_version_id, old.status) is distinct from (new.published_version_id, new.status))
    execute function record_publication();

-- Triggers on runs cost each batch some of its time. They are enabled with the first row of event_listener and disabled with
-- the last; nothing is altered while they are as they should be.
create function switch_project_events() returns trigger language plpgsql as $$
declare
    wanted boolean := exists (select from event_listener);
    enabled boolean := (select tgenabled <> 'D' from pg_trigger
                         where tgname = 'project_event_begun' and tgrelid = 'run'::regclass);
begin
    if wanted = enabled then
        return null;
    end if;
    lock table run, ended_run in share row exclusive mode;
    if exists (select from event_listener) then
        alter table run enable trigger project_event_begun;
        alter table run enable trigger project_event_changed;
        alter table ended_run enable trigger project_event_ended;
    else
        alter table run disable trigger project_event_begun;
        alter table run disable trigger project_event_changed;
        alter table ended_run disable trigger project_event_ended;
    end if;
    return null;
end
$$;

create trigger project_events_wanted after insert or delete on event_listener
    for each statement execute function switch_project_events();

alter table run disable trigger project_event_begun;
alter table run disable trigger project_event_changed;
alter table ended_run disable trigger project_event_ended;
