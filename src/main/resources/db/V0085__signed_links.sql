-- Moment from which resume links of the kind /requests/ carry a signature (the release of V0052). Runs created earlier sent links with unsigned ids.
create table signed_links (since timestamptz not null);

insert into signed_links
select coalesce(min(installed_on)::timestamptz, now()) from flyway_schema_history where version = '0052';
