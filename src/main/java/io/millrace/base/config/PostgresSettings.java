package io.millrace.base.config;

import java.time.Duration;
import java.util.Optional;

/**
 * The database. Embedded when neither URL nor host is given.
 *
 * @param patience time that the start of a run waits for an unavailable database
 * @param statementTimeout time limit of a statement
 * @param startPatience time that the start of an embedded database waits for space on a full disk
 */
public record PostgresSettings(
        Place place,
        DatabaseLogin login,
        int poolSize,
        int idleTimeoutMs,
        Duration patience,
        Duration statementTimeout,
        Duration startPatience) {
    public record Place(Optional<String> url, Optional<String> host, int port, String database) {}

    /**
     * Credentials and encryption of connections.
     *
     * @param caCertificate PEM text, empty when the system's authorities are used
     */
    public record DatabaseLogin(String user, String password, boolean encrypted, Optional<String> caCertificate) {
        @Override
        public String toString() {
            return "DatabaseLogin[" + user + "]";
        }
    }

    public boolean isEmbedded() {
        return place.url().isEmpty() && place.host().isEmpty();
    }

    static PostgresSettings read(SettingTexts texts) {
        return new PostgresSettings(
                new Place(
                        texts.optional(Setting.AP_POSTGRES_URL),
                        texts.optional(Setting.AP_POSTGRES_HOST),
                        texts.integer(Setting.AP_POSTGRES_PORT),
                        texts.text(Setting.AP_POSTGRES_DATABASE)),
                new DatabaseLogin(
                        texts.text(Setting.AP_POSTGRES_USERNAME),
                        texts.text(Setting.AP_POSTGRES_PASSWORD),
                        texts.flag(Setting.AP_POSTGRES_USE_SSL),
                        texts.optional(Setting.AP_POSTGRES_SSL_CA)),
                texts.integer(Setting.AP_POSTGRES_POOL_SIZE),
                texts.integer(Setting.AP_POSTGRES_IDLE_TIMEOUT_MS),
                texts.seconds(Setting.AP_POSTGRES_PATIENCE_SECONDS),
                texts.seconds(Setting.AP_POSTGRES_STATEMENT_SECONDS),
                texts.seconds(Setting.AP_POSTGRES_START_PATIENCE_SECONDS));
    }
}
