-- A switch of a flow's trigger may be interrupted after the hook of the new version. The next server then disables that version too.

-- Version that the switch in progress enables or publishes; null without a switch and for one that an earlier release began.
alter table flow add column operation_version_id text;
