package io.millrace.base.persistence.postgres;

import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.persistence.DatabaseSettings;

/** The database that the settings name instead of the embedded one. */
public final class ExternalPostgres {
    private ExternalPostgres() {}

    /**
     * How it is reached, with the usual pool.
     *
     * @throws BadSetting naming the setting that cannot be understood
     */
    public static DatabaseSettings settings(Config.Postgres given) {
        try {
            return given.url().map(DatabaseSettings::parse).orElseGet(() -> ofParts(given));
        } catch (IllegalArgumentException malformed) {
            throw new BadSetting(
                    (given.url().isPresent() ? "AP_POSTGRES_URL: " : "AP_POSTGRES_HOST: ") + malformed.getMessage());
        }
    }

    private static DatabaseSettings ofParts(Config.Postgres given) {
        var plain = DatabaseSettings.of(
                given.host().orElseThrow(), given.port(), given.database(), given.user(), given.password());
        return given.encrypted()
                ? plain.withEncryption(DatabaseSettings.Encryption.REQUIRE, given.caCertificate())
                : plain;
    }
}
