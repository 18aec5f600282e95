-- Dependencies of an installed piece with their versions and integrity, so that each node installs the same files.
alter table installed_piece add column lock text;
