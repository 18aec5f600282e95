package io.millrace.base.persistence;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.TransactionRollbackException;
import java.io.IOException;
import java.net.ConnectException;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maps failures of the database to those of callers: the one place that knows PostgreSQL's error codes. */
final class DatabaseFailure {
    /** duplicate_table, and wrong_object_type, which "is already a partition" has: another node was faster. */
    private static final Set<String> THERE = Set.of("42P07", "42809");

    private static final Logger LOG = LoggerFactory.getLogger(DatabaseFailure.class);

    private static final Set<String> REPEATABLE = Set.of("40001", "40P01");

    /** Ended by an operator, crashing, starting; out of time; and a standby that was a primary a moment ago. */
    private static final Set<String> UNAVAILABLE = Set.of("57P01", "57P02", "57P03", "57P05", "25006");

    /** One statement took longer than AP_POSTGRES_STATEMENT_SECONDS, or was canceled: the database itself answers. */
    private static final String CANCELLED = "57014";

    /** Connection ended by an operator or by a crash; the client notices when it next uses the connection. */
    private static final Set<String> LOST = Set.of("57P01", "57P02", "57P05", "08003", "08006");

    /** A NUL character as text or in JSON; a number, or an indexed text, too large to keep. */
    private static final Set<String> UNSTORABLE = Set.of("22021", "22P05", "22003", "54000");

    /**
     * Texts with which the client reports a parameter of the wrong type or number, by the exception class of a lost
     * connection.
     */
    private static final Pattern WRONG_PARAMETER =
            Pattern.compile("^(Parameter at position\\[\\d+] |The number of parameters )");

    private DatabaseFailure() {}

    /** Returns true if the database rolled back a transaction only because of concurrent ones, so that a retry may succeed. */
    static boolean isRepeatable(Throwable failure) {
        return failure instanceof PgException refused && REPEATABLE.contains(refused.getSqlState());
    }

    static boolean isPassing(Throwable failure) {
        return isUnavailable(failure) || isCancelled(failure);
    }

    private static boolean isCancelled(Throwable failure) {
        return failure instanceof PgException refused && CANCELLED.equals(refused.getSqlState());
    }

    /** Returns true if the connection failed, and not the statement. */
    static boolean isUnavailable(Throwable failure) {
        return switch (failure) {
            case PgException refused -> isUnavailable(refused.getSqlState());
            case TransactionRollbackException _ -> false;
            case IOException _, TimeoutException _ -> true;
            // Connection closed, pool too busy, no connection in time; but also a parameter of the wrong type.
            case VertxException said ->
                !WRONG_PARAMETER.matcher(String.valueOf(said.getMessage())).lookingAt();
            default -> false;
        };
    }

    /** Returns true if the database is reachable and refuses the login: a wrong password, or no database of that name. */
    static boolean isRefusedAccess(Throwable failure) {
        return failure instanceof PgException refused
                && (refused.getSqlState().startsWith("28")
                        || refused.getSqlState().equals("3D000"));
    }

    /** Returns true if a connection that was open before has ended, so that another one may work. */
    static boolean isLostConnection(Throwable failure) {
        return switch (failure) {
            case PgException refused -> LOST.contains(refused.getSqlState());
            case ConnectException _ -> false;
            case IOException _, ClosedConnectionException _ -> true;
            case VertxException said -> String.valueOf(said.getMessage()).startsWith("Connection is not active");
            default -> false;
        };
    }

    static ApiException away() {
        return ApiException.of(ErrorCode.UNAVAILABLE, "the database is unavailable");
    }

    static ApiException unknown() {
        return ApiException.of(
                ErrorCode.OUTCOME_UNKNOWN,
                "the database became unavailable before it confirmed the change: the change may have been made");
    }

    /**
     * Returns true if a statement or a commit with this failure had no effect: PostgreSQL refused it and kept the connection.
     * A connection that ends may end before or after the commit.
     */
    static boolean isWithoutEffect(Throwable failure) {
        return switch (failure) {
            case TransactionRollbackException _ -> true;
            case PgException refused ->
                !refused.getSqlState().startsWith("08") && !LOST.contains(refused.getSqlState());
            default -> false;
        };
    }

    /**
     * The failure in the vocabulary of modules; a defect is returned unchanged.
     *
     * @param hasEffect true if the failed work may have changed data
     */
    static Throwable translated(Throwable failure, boolean hasEffect) {
        if (isUnavailable(failure)) {
            LOG.warn("the database is unavailable: {}", failure.toString());
            return hasEffect ? unknown() : away();
        }
        if (!(failure instanceof PgException refused)) {
            return failure;
        }
        return switch (refused.getSqlState()) {
            case CANCELLED ->
                hasEffect
                        ? unknown()
                        : ApiException.of(
                                ErrorCode.UNAVAILABLE,
                                "a statement took longer than AP_POSTGRES_STATEMENT_SECONDS and was canceled");
            case "23505" -> violation(ConstraintViolation.Kind.UNIQUE, refused);
            case "23503" -> violation(ConstraintViolation.Kind.FOREIGN_KEY, refused);
            case String repeatable
            when REPEATABLE.contains(repeatable) ->
                hasEffect
                        ? unknown()
                        : ApiException.of(
                                ErrorCode.UNAVAILABLE,
                                "the database is busy with conflicting changes of the same data");
            case String unstorable
            when UNSTORABLE.contains(unstorable) ->
                ApiException.of(
                        ErrorCode.INVALID_INPUT, "body/ a value cannot be stored: " + refused.getErrorMessage());
            default -> failure;
        };
    }

    /** Returns true if the database has no memory, disk or connection left, or its disk fails. */
    static boolean isShortage(Throwable failure) {
        return failure instanceof PgException refused && isShortage(refused.getSqlState());
    }

    private static boolean isShortage(String state) {
        return state.startsWith("53") || state.equals("58030");
    }

    /** 08: connection trouble. */
    private static boolean isUnavailable(String state) {
        return state.startsWith("08") || isShortage(state) || UNAVAILABLE.contains(state);
    }

    private static ConstraintViolation violation(ConstraintViolation.Kind kind, PgException refused) {
        return new ConstraintViolation(kind, refused.getTable(), refused.getConstraint());
    }

    static boolean isThereAlready(Throwable failure) {
        return failure instanceof PgException refused && THERE.contains(refused.getSqlState());
    }
}
