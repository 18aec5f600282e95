package io.millrace.base.persistence.postgres;

import io.millrace.base.config.BadSetting;
import io.millrace.base.config.PostgresSettings;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.connection.DatabaseSettings.Encryption;
import io.millrace.base.persistence.connection.DatabaseTls;
import java.util.Optional;

public final class ExternalPostgres {
    private ExternalPostgres() {}

    /**
     * Its connection settings, with the default pool.
     *
     * @throws BadSetting naming the setting that cannot be understood
     */
    public static DatabaseSettings settings(PostgresSettings given) {
        try {
            var authority = given.login()
                    .caCertificate()
                    .filter(_ ->
                            given.place().url().isPresent() || given.login().encrypted());
            var settings = given.place().url().map(DatabaseSettings::parse).orElseGet(() -> ofParts(given));
            return withAuthority(settings, authority);
        } catch (IllegalArgumentException malformed) {
            throw new BadSetting((given.place().url().isPresent() ? "AP_POSTGRES_URL: " : "AP_POSTGRES_HOST: ")
                    + malformed.getMessage());
        }
    }

    /** A file that the URL names wins over the text of the setting, and sslmode=disable has no certificates. */
    private static DatabaseSettings withAuthority(DatabaseSettings settings, Optional<String> authority) {
        var tls = settings.tls();
        if (authority.isEmpty() || tls.authorities().isPresent() || tls.mode() == Encryption.DISABLE) {
            return settings;
        }
        try {
            return settings.withTls(tls.withAuthorities(authority.get().replace("\\n", "\n")));
        } catch (IllegalArgumentException malformed) {
            throw new BadSetting("AP_POSTGRES_SSL_CA: " + malformed.getMessage());
        }
    }

    private static DatabaseSettings ofParts(PostgresSettings given) {
        var plain = DatabaseSettings.of(
                given.place().host().orElseThrow(),
                given.place().port(),
                given.place().database(),
                given.login().user(),
                given.login().password());
        return given.login().encrypted() ? plain.withTls(DatabaseTls.REQUIRED) : plain;
    }
}
