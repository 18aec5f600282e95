-- Console output and warnings of a run of a single action: JSON of the fields standardOutput and standardError (decision 0434).
alter table action_run add column log text;
