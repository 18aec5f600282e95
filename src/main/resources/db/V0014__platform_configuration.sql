-- Telemetry settings of a platform, made at the first read from AP_TELEMETRY_ENABLED (contract admin-api 19).

create table platform_configuration (
    id                    text collate "C" primary key,
    created               timestamptz not null,
    updated               timestamptz not null,
    platform_id           text collate "C" not null unique references platform (id),
    product_telemetry     boolean not null,
    infra_setup_telemetry boolean not null
);
