-- Packages of a code step that may load native code: their names, and their files, packed.

alter table code_program
    add column native_packages text,
    add column native_files bytea;
