package io.millrace.account.platform;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.vertx.core.Future;

final class PlatformConfigurationStore {
    private static final String INSERT = """
            insert into platform_configuration (id, created, updated, platform_id, product_telemetry, infra_setup_telemetry)
            values ($1, $2, $2, $3, $4, $5)
            on conflict (platform_id) do nothing
            """;

    private static final String FIND = """
            select id, created, updated, platform_id, product_telemetry as product_telemetry_enabled,
                   infra_setup_telemetry as infra_setup_telemetry_enabled
              from platform_configuration
             where platform_id = $1
               for update
            """;

    private static final RowMapper<PlatformConfiguration> CONFIGURATIONS =
            RowMapper.of(PlatformConfiguration.class, FIND);

    private static final String UPDATE = """
            update platform_configuration set updated = $2, product_telemetry = $3, infra_setup_telemetry = $4
             where id = $1
            """;

    /** The platform's row, inserted with the given values if missing; of concurrent callers one inserts it. */
    Future<PlatformConfiguration> findOrInsert(Tx tx, PlatformConfiguration first) {
        return tx.query(
                        INSERT,
                        first.id(),
                        first.created(),
                        first.platformId(),
                        first.productTelemetryEnabled(),
                        first.infraSetupTelemetryEnabled())
                .compose(_ -> tx.query(FIND, first.platformId()))
                .map(CONFIGURATIONS::only);
    }

    Future<Void> update(Tx tx, PlatformConfiguration configuration) {
        return tx.query(
                        UPDATE,
                        configuration.id(),
                        configuration.updated(),
                        configuration.productTelemetryEnabled(),
                        configuration.infraSetupTelemetryEnabled())
                .mapEmpty();
    }
}
