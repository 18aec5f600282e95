-- Moment from which resume links of the kind /requests/ carry a signature (the release of V0052). Runs created earlier sent links with unsigned ids.
create table signed_links (since timestamptz not null);

insert into signed_links
select coalesce(min(installed_on)::timestamptz, now()) from flyway_schema_history where version = '0052';

-- Reason for which a flow that has landed could not be published; null while the publication is pending.
alter table release_publication add column failure text;
