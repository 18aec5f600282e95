package io.millrace.base.persistence;

import io.millrace.base.config.BadSetting;
import io.vertx.pgclient.PgException;
import java.sql.SQLException;
import java.util.Optional;

/** Failures of a start that an administrator of the database cures, with the statement to run. */
final class MissingRight {
    private static final String INSUFFICIENT_PRIVILEGE = "42501";
    private static final String READ_ONLY_TRANSACTION = "25006";
    private static final int CAUSES_MAX = 10;

    private MissingRight() {}

    /** The failure as a reason to stop the start; empty when it has another cause. */
    static Optional<BadSetting> of(Throwable failure, DatabaseSettings settings) {
        var cause = failure;
        for (var depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            switch (cause) {
                case SQLException refused -> {
                    return explained(refused.getSQLState(), refused.getMessage(), settings);
                }
                case PgException refused -> {
                    return explained(
                            refused.getSqlState(), refused.getErrorMessage() + "\n" + refused.getDetail(), settings);
                }
                default -> cause = cause.getCause();
            }
        }
        return Optional.empty();
    }

    private static Optional<BadSetting> explained(String state, String message, DatabaseSettings settings) {
        var reason = String.valueOf(message).lines().findFirst().orElse("");
        return switch (String.valueOf(state)) {
            case INSUFFICIENT_PRIVILEGE ->
                Optional.of(new BadSetting("the database role " + settings.user() + " lacks a right in database "
                        + settings.database() + " (" + reason + "); run there as its owner: "
                        + statement(message, settings)));
            case READ_ONLY_TRANSACTION ->
                Optional.of(new BadSetting(
                        "the database " + settings.database() + " is read-only; configure the primary server,"
                                + " or run as its owner: ALTER DATABASE " + quoted(settings.database())
                                + " SET default_transaction_read_only = off;"));
            default -> Optional.empty();
        };
    }

    /** Statement that gives the role the right that the server's message says is missing. */
    private static String statement(String message, DatabaseSettings settings) {
        var role = quoted(settings.user());
        if (message.contains("CONNECT privilege")) {
            return "GRANT CONNECT ON DATABASE " + quoted(settings.database()) + " TO " + role + ";";
        }
        if (message.contains("must be owner of") || message.contains("permission denied for table")) {
            return "DO $$ DECLARE t record; BEGIN FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP"
                    + " EXECUTE format('ALTER TABLE public.%I OWNER TO %I', t.tablename, "
                    + literal(settings.user()) + "); END LOOP; END $$;";
        }
        return "GRANT CREATE, USAGE ON SCHEMA public TO " + role + ";";
    }

    private static String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    private static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
