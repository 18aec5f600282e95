-- Platform on which a shared template was created: bounds their number.
-- Null for other templates, and for those that were shared before this version.
alter table template add column shared_by text collate "C";

create index template_shared_by on template (shared_by) where shared_by is not null;
