package io.millrace.fault;

import io.millrace.base.persistence.DurableWrite;
import io.millrace.base.persistence.WriteInterceptor;
import io.millrace.support.TestPostgres;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Faults that durability tests inject into a server by the system property {@code millrace.fault}. Only main classes of
 * the tests read it.
 *
 * <ul>
 *   <li>{@code before:RESULT:3} ends the process before the third write of that kind is sent;
 *   <li>{@code after:RESULT:3} ends it after that write is durable and before it is acknowledged;
 *   <li>{@code acknowledge-early} acknowledges writes of runs before they are written;
 *   <li>{@code no-fsync} runs the embedded PostgreSQL without waiting for the disk.
 * </ul>
 *
 * <p>The last two break promises on purpose: they prove that the harness detects a loss.
 */
final class Faults {
    private static final String PROPERTY = "millrace.fault";
    private static final String ACKNOWLEDGE_EARLY = "acknowledge-early";
    private static final String NO_FSYNC = "no-fsync";

    /** Delay of the write after its early acknowledgement: about the latency of a slow disk. */
    private static final long EARLY_MS = 300;

    /** Acts like a kill; the property selects the side of the write. */
    private static final int STATUS = 137;

    private final Optional<String> asked;

    private Faults(Optional<String> asked) {
        this.asked = asked;
    }

    /** Faults requested for this process. */
    static Faults asked() {
        var asked = Optional.ofNullable(System.getProperty(PROPERTY));
        asked.ifPresent(fault -> System.err.println("this process fails on purpose: " + fault));
        return new Faults(asked);
    }

    /** JVM option that requests a fault. */
    static String option(String fault) {
        return "-D" + PROPERTY + "=" + fault;
    }

    /** Options of the embedded PostgreSQL. */
    List<String> postgresOptions() {
        return asked.filter(NO_FSYNC::equals).isPresent() ? TestPostgres.NOT_DURABLE : List.of();
    }

    /** Interceptor that injects the fault into writes. */
    WriteInterceptor writes(Vertx vertx) {
        if (asked.isEmpty() || asked.get().equals(NO_FSYNC)) {
            return WriteInterceptor.NONE;
        }
        return asked.get().equals(ACKNOWLEDGE_EARLY) ? new EarlyAnswer(vertx) : Crash.parse(asked.get());
    }

    /** Acknowledges now and writes later. */
    private record EarlyAnswer(Vertx vertx) implements WriteInterceptor {
        @Override
        public <T> Future<T> answer(T success, Supplier<Future<T>> write) {
            var _ = vertx.timer(EARLY_MS).compose(_ -> write.get());
            return Future.succeededFuture(success);
        }
    }

    /** Ends the process at a write. */
    private record Crash(boolean isBefore, String write, AtomicInteger left) implements WriteInterceptor {
        static Crash parse(String asked) {
            var parts = asked.split(":", -1);
            if (parts.length != 3 || !List.of("before", "after").contains(parts[0])) {
                throw new IllegalArgumentException("expected " + PROPERTY + " to be side:write:count, found " + asked);
            }
            return new Crash(parts[0].equals("before"), parts[1], new AtomicInteger(Integer.parseInt(parts[2])));
        }

        @Override
        public <T> Future<T> perform(
                Supplier<? extends Collection<? extends DurableWrite>> writes, Supplier<Future<T>> transaction) {
            var isHere = writes.get().stream().anyMatch(one -> one.name().equals(write));
            if (!isHere) {
                return transaction.get();
            }
            endUnless(!isBefore);
            return transaction.get().map(written -> {
                endUnless(isBefore);
                return written;
            });
        }

        private void endUnless(boolean isOtherSide) {
            if (!isOtherSide && left.decrementAndGet() == 0) {
                Runtime.getRuntime().halt(STATUS);
            }
        }
    }
}
