package io.millrace.support;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting in tests: for a future or a condition, always with a deadline. */
public final class Waiting {
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final long LOOK_AGAIN_NANOS = Duration.ofMillis(5).toNanos();

    private Waiting() {}

    /** The value of a future; its failure is thrown as it is. */
    public static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            return Waiting.<T, RuntimeException>thrown(failed.getCause());
        } catch (TimeoutException late) {
            throw new AssertionError("not complete within " + DEADLINE, late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }

    /** Returns as soon as the condition holds. */
    public static void until(String expectation, BooleanSupplier condition) {
        var end = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("expected within " + DEADLINE + ": " + expectation);
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }

    /** A future may fail with a checked exception; the compiler need not know. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // The cast only concerns the compiler's view.
    private static <T, E extends Throwable> T thrown(Throwable failure) throws E {
        throw (E) failure;
    }
}
