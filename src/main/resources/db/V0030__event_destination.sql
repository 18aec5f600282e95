-- Who is told of events, what waits to be told, and for a while what was told (contract admin-api 23). A delivery is written
-- with its event; due is null when nobody will try again.

create table event_destination (
    id            text collate "C" primary key,
    created       timestamptz not null,
    updated       timestamptz not null,
    platform_id   text collate "C" not null references platform (id) on delete cascade,
    events        text[] not null,
    url           text not null,
    sealed_secret bytea not null
);

create index event_destination_newest on event_destination (platform_id, created, id);

create table event_delivery (
    id             text collate "C" primary key,
    created        timestamptz not null,
    destination_id text collate "C" not null references event_destination (id) on delete cascade,
    event_id       text collate "C" not null,
    action         text not null,
    body           text not null,
    attempts       integer not null,
    due            timestamptz,
    delivered      timestamptz,
    failure        text
);

create index event_delivery_due on event_delivery (destination_id, due) where due is not null;
create index event_delivery_newest on event_delivery (destination_id, created, id);
create index event_delivery_age on event_delivery (created);

-- What runs did, as far as some destination of their platform asks for it. Runs are written in several ways, always many
-- at once; these triggers see them all, and cost one look at a small table where nobody asks.
create table run_event (
    sequence        bigint generated always as identity primary key,
    id              text collate "C" not null,
    created         timestamptz not null,
    action          text not null,
    project_id      text collate "C" not null,
    run_id          text collate "C" not null,
    flow_id         text collate "C" not null,
    flow_version_id text collate "C" not null,
    environment     text not null,
    status          text not null,
    start_time      timestamptz,
    finish_time     timestamptz,
    triggered_by    text
);

create function wants_event(of_project text, wanted text) returns boolean language sql stable as $$
    select exists (
        select from project p
          join event_destination d on d.platform_id = p.platform_id
         where p.id = of_project and wanted = any (d.events))
$$;

-- A retried run comes back with a higher fence.
create function note_begun_runs() returns trigger language plpgsql as $$
begin
    if exists (select from event_destination) then
        insert into run_event (id, created, action, project_id, run_id, flow_id, flow_version_id, environment, status,
                               start_time, triggered_by)
        select substr(md5(b.id || b.action || b.fence), 1, 21), b.updated, b.action, b.project_id, b.id, b.flow_id,
               b.flow_version_id, b.environment, 'RUNNING', coalesce(b.start_time, b.updated), b.triggered_by
          from (select *, case when fence = 0 then 'flow.run.started' else 'flow.run.retried' end as action from begun) b
         where wants_event(b.project_id, b.action);
    end if;
    return null;
end
$$;

create trigger run_begun after insert on run
    referencing new table as begun for each statement execute function note_begun_runs();

-- A short run is written once, when it has ended: then its start is told too. The id of an event is made of what it tells,
-- so a start that was told before is not told again, as long as deliveries are remembered.
create function note_ended_runs() returns trigger language plpgsql as $$
begin
    if exists (select from event_destination) then
        insert into run_event (id, created, action, project_id, run_id, flow_id, flow_version_id, environment, status,
                               start_time, finish_time, triggered_by)
        select substr(md5(e.id || 'flow.run.started' || 0), 1, 21), e.created, 'flow.run.started', e.project_id, e.id,
               e.flow_id, e.flow_version_id, e.environment, 'RUNNING', coalesce(e.start_time, e.created), null,
               e.triggered_by
          from ended e
         where e.fence = 0 and e.finish_time < e.created + interval '1 day'
           and wants_event(e.project_id, 'flow.run.started');
        insert into run_event (id, created, action, project_id, run_id, flow_id, flow_version_id, environment, status,
                               start_time, finish_time, triggered_by)
        select substr(md5(e.id || 'flow.run.finished' || e.fence), 1, 21), e.finish_time, 'flow.run.finished', e.project_id,
               e.id, e.flow_id, e.flow_version_id, e.environment, e.status, e.start_time, e.finish_time, e.triggered_by
          from ended e
         where wants_event(e.project_id, 'flow.run.finished');
    end if;
    return null;
end
$$;

create trigger run_ended after insert on ended_run
    referencing new table as ended for each statement execute function note_ended_runs();

create function note_resumed_run() returns trigger language plpgsql as $$
begin
    if exists (select from event_destination) then
        insert into run_event (id, created, action, project_id, run_id, flow_id, flow_version_id, environment, status,
                               start_time, triggered_by)
        select substr(md5(new.id || 'flow.run.resumed' || clock_timestamp()), 1, 21), new.updated, 'flow.run.resumed',
               new.project_id, new.id, new.flow_id, new.flow_version_id, new.environment, 'RUNNING', new.start_time,
               new.triggered_by
         where wants_event(new.project_id, 'flow.run.resumed');
    end if;
    return null;
end
$$;

create trigger run_resumed after update of status on run
    for each row when (old.status = 'PAUSED' and new.status <> 'PAUSED') execute function note_resumed_run();
