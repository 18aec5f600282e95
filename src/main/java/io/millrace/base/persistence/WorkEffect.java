package io.millrace.base.persistence;

import io.vertx.core.Future;
import java.util.function.Supplier;

/**
 * State of one unit of work at the database: possible changes of data (decision 0380). A transaction may have changed data
 * once its commit is sent, a statement outside of a transaction once it is sent.
 *
 * <p>Thread-safe: the circuit breaker abandons work of all event loops.
 */
final class WorkEffect {
    private static final String SELECT = "select";

    /** Number of sent commits and statements that may have had an effect. */
    private int possible;

    private boolean abandoned;

    /** Returns true if a statement may change data; every statement but a plain select. */
    static boolean isWrite(String sql) {
        var start = 0;
        while (start < sql.length() && Character.isWhitespace(sql.charAt(start))) {
            start++;
        }
        return !sql.regionMatches(true, start, SELECT, 0, SELECT.length());
    }

    /** Notes that a commit or a statement is about to be sent; false when the work was abandoned and must not send it. */
    synchronized boolean begin() {
        if (!abandoned) {
            possible++;
        }
        return !abandoned;
    }

    /** Notes that the last one is known to have had no effect. */
    synchronized void undone() {
        possible--;
    }

    /** Abandons the work; true when it has changed nothing and never will. */
    synchronized boolean abandon() {
        abandoned |= possible == 0;
        return abandoned;
    }

    synchronized boolean isPossible() {
        return possible > 0;
    }

    /** Sends a statement that changes data outside of a transaction. */
    <T> Future<T> during(Supplier<Future<T>> statement) {
        if (!begin()) {
            return Future.failedFuture(DatabaseFailure.away());
        }
        return statement.get().onFailure(failure -> {
            if (DatabaseFailure.isWithoutEffect(failure)) {
                undone();
            }
        });
    }
}
