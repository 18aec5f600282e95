-- Programs of code steps, made once: which engine runs them, their npm packages inside, or why they do not compile.
-- The lock names each package that went in, with its integrity.

create table code_program (
    platform_id   text collate "C" not null,
    hash          text collate "C" not null,
    created       timestamptz not null,
    form          text collate "C" not null,
    java_script   text not null,
    compile_error text,
    dependencies  text not null,
    lock          text,
    install_ms    bigint not null,
    primary key (platform_id, hash)
);
