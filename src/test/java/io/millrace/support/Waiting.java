package io.millrace.support;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting in tests: for a future or a condition, always with a deadline, which is extended on a slow machine. */
public final class Waiting {
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    /** Pauses between looks grow with the wait: a look is often a request, whose processor time other tests need. */
    private static final long PAUSE_NANOS_MIN = Duration.ofMillis(5).toNanos();

    private static final long PAUSE_NANOS_MAX = Duration.ofMillis(100).toNanos();
    private static final int PAUSES_OF_A_WAIT = 10;

    /** A slower check counts as this much: the machine may have stalled meanwhile. */
    private static final long LOOK_NANOS_MAX = Duration.ofSeconds(2).toNanos();

    private Waiting() {}

    /** Waits for the value of a future; throws its failure unchanged. */
    public static <T> T await(Future<T> future) {
        try {
            var value = future.toCompletionStage().toCompletableFuture();
            look(value, MachineSpeed.deadline(DEADLINE));
            if (!value.isDone()) {
                look(value, MachineSpeed.extension(DEADLINE));
            }
            return value.get(LOOK_NANOS_MAX, TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            return Waiting.<T, RuntimeException>thrown(failed.getCause());
        } catch (TimeoutException late) {
            throw new AssertionError("not complete within " + DEADLINE, late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }

    private static void look(CompletableFuture<?> value, Duration period)
            throws InterruptedException, ExecutionException {
        for (var left = period.toNanos(); left > LOOK_NANOS_MAX && !value.isDone(); left -= LOOK_NANOS_MAX) {
            looked(value);
        }
    }

    /** Waits for one check; the condition is checked again. */
    private static void looked(CompletableFuture<?> value) throws InterruptedException, ExecutionException {
        try {
            value.get(LOOK_NANOS_MAX, TimeUnit.NANOSECONDS);
        } catch (TimeoutException notYet) {
            Thread.onSpinWait();
        }
    }

    /** Returns after the condition has become true. */
    public static void until(String expectation, BooleanSupplier condition) {
        until(expectation, DEADLINE, condition);
    }

    /** As {@link #until}, for low-priority work, which takes longer on a busy machine. */
    public static void until(String expectation, Duration deadline, BooleanSupplier condition) {
        var left = MachineSpeed.deadline(deadline).toNanos();
        var isExtended = false;
        var began = System.nanoTime();
        var before = began;
        while (!condition.getAsBoolean()) {
            var now = System.nanoTime();
            left -= Math.min(now - before, LOOK_NANOS_MAX);
            before = now;
            if (left < 0 && !isExtended) {
                isExtended = true;
                left = MachineSpeed.extension(deadline).toNanos();
            }
            if (left < 0) {
                throw new AssertionError("expected within " + deadline + ": " + expectation);
            }
            LockSupport.parkNanos(Math.clamp((now - began) / PAUSES_OF_A_WAIT, PAUSE_NANOS_MIN, PAUSE_NANOS_MAX));
        }
    }

    /** Rethrows a checked exception of a future without declaring it. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // The cast concerns only the compiler.
    private static <T, E extends Throwable> T thrown(Throwable failure) throws E {
        throw (E) failure;
    }
}
