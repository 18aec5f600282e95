-- Pieces from OpenAPI documents are rows beside installed packages; the archive is the document.
alter table installed_piece drop constraint installed_piece_package_type_check;
alter table installed_piece add constraint installed_piece_package_type_check
    check (package_type in ('ARCHIVE', 'REGISTRY', 'OPENAPI'));
alter table installed_piece drop constraint installed_piece_check;
alter table installed_piece add constraint installed_piece_check
    check ((archive is not null) = (package_type in ('ARCHIVE', 'OPENAPI')));
