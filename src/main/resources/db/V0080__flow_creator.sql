-- Which machine created a flow, where it was none of the people: its kind and its id.
alter table flow add column created_by_type text, add column created_by_id text;
