package io.millrace.base.persistence;

import io.millrace.base.config.BadSetting;
import java.sql.SQLException;
import java.util.Optional;

/** Failures of a migration that an administrator of the database cures, with the statement to run. */
final class MissingRight {
    private static final String INSUFFICIENT_PRIVILEGE = "42501";
    private static final String READ_ONLY_TRANSACTION = "25006";
    private static final int CAUSES_MAX = 10;

    private MissingRight() {}

    /** The failure as a reason to stop the start; empty when it has another cause. */
    static Optional<BadSetting> of(Throwable failure, DatabaseSettings settings) {
        var cause = failure;
        for (var depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            if (cause instanceof SQLException refused) {
                return explained(refused, settings);
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }

    private static Optional<BadSetting> explained(SQLException refused, DatabaseSettings settings) {
        return switch (String.valueOf(refused.getSQLState())) {
            case INSUFFICIENT_PRIVILEGE ->
                Optional.of(new BadSetting("the database role " + settings.user() + " may not create the tables of this"
                        + " release in database " + settings.database() + " (" + firstLine(refused)
                        + "); run there as its owner: GRANT CREATE, USAGE ON SCHEMA public TO "
                        + quoted(settings.user()) + ";"));
            case READ_ONLY_TRANSACTION ->
                Optional.of(new BadSetting(
                        "the database " + settings.database() + " is read-only; configure the primary server,"
                                + " or run as its owner: ALTER DATABASE " + quoted(settings.database())
                                + " SET default_transaction_read_only = off;"));
            default -> Optional.empty();
        };
    }

    private static String firstLine(SQLException refused) {
        return String.valueOf(refused.getMessage()).lines().findFirst().orElse("");
    }

    private static String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }
}
