-- A piece was created with its first version; what a version adds is an update of the piece.
alter table installed_piece add column updated timestamptz;

update installed_piece piece
   set updated = created,
       created = (select min(created) from installed_piece oldest
                   where oldest.name = piece.name and oldest.platform_id is not distinct from piece.platform_id);

alter table installed_piece alter column updated set not null;
