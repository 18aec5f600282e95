-- Versions of flows that failed in production, once a day each: who hears of a project's failures is told of the first
-- (contract admin-api 24). A row stands for 24 hours from that failure; whatever fails meanwhile finds it there.

create table failed_flow (
    flow_version_id  text collate "C" primary key,
    flow_id          text collate "C" not null,
    project_id       text collate "C" not null,
    run_id           text collate "C" not null,
    failed           timestamptz not null,
    expires          timestamptz not null,
    status           text not null,
    failed_step_name text,
    told             boolean not null
);

create index failed_flow_untold on failed_flow (failed) where not told;
create index failed_flow_age on failed_flow (expires);

-- Runs that do well cost one comparison. Whoever finds another transaction noting the same version leaves it to that one, so
-- that nodes never wait for each other here.
create function note_failed_flow() returns trigger language plpgsql as $$
begin
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

create trigger run_failed after insert on ended_run
    for each row when (new.environment = 'PRODUCTION' and new.status not in ('SUCCEEDED', 'CANCELED'))
    execute function note_failed_flow();
