-- What models took of the platform's AI credits: of each run of an agent, null where it used none, and in the sums of a day.
alter table agent_run add column ai_credits double precision;
alter table model_usage add column credits double precision not null default 0;
