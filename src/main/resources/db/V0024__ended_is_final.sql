-- A run ends once. What has ended does not change, whoever comes late: only its filing does. It lives again only when
-- its end is taken away in the same statement, which is how a run is retried.

create function refuse_change_of_ended_run() returns trigger language plpgsql as $$
begin
  raise exception 'run % has ended as %', old.id, old.status using errcode = 'integrity_constraint_violation';
end
$$;

create trigger ended_is_final
  before update of id, created, status, finish_time, steps_count, fence
  on ended_run for each row execute function refuse_change_of_ended_run();

-- A write that is repeated because its answer was lost must not bring a run back that another owner has ended since: it
-- changes nothing, like any other late write.
create function skip_run_that_has_ended() returns trigger language plpgsql as $$
begin
  if exists (select from ended_run e where e.id = new.id and e.created = new.created) then
    return null;
  end if;
  return new;
end
$$;

create trigger ended_stays_ended
  before insert on run for each row execute function skip_run_that_has_ended();
