package io.millrace.support;

import java.time.Duration;

/**
 * Slowness of this machine relative to the reference machine of the tests' deadlines: 1 on the reference and on faster
 * ones, 4 if a thread gets a quarter of that work done. Measured once when the test process starts, and again when a
 * deadline expires. Deadlines are multiplied by it, so that a slow or busy machine fails no test.
 */
public final class MachineSpeed {
    private static final int ROUNDS = 20_000_000;

    /** Time of {@link #ROUNDS} on an idle processor core of the reference machine. */
    private static final long REFERENCE_NANOS = Duration.ofMillis(44).toNanos();

    private static final double SLOWNESS_MAX = 10;

    private static final double AT_START = measured();

    private MachineSpeed() {}

    /** The deadline times the slowness at the start of this process. */
    public static Duration deadline(Duration onReferenceMachine) {
        return times(onReferenceMachine, AT_START);
    }

    /** Extension of an expired deadline: zero on a machine as fast and idle as the reference. */
    static Duration extension(Duration onReferenceMachine) {
        return times(onReferenceMachine, Math.max(AT_START, measured())).minus(deadline(onReferenceMachine));
    }

    /** Between 1 and 10. Takes 44 ms on the reference machine. */
    static double measured() {
        var before = System.nanoTime();
        var state = 88_172_645_463_325_252L;
        for (var round = 0; round < ROUNDS; round++) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
        }
        if (state == 0) {
            throw new IllegalStateException("expected a generator without the state 0");
        }
        return limited((double) (System.nanoTime() - before) / REFERENCE_NANOS);
    }

    static double limited(double slowness) {
        return Math.clamp(slowness, 1, SLOWNESS_MAX);
    }

    private static Duration times(Duration duration, double slowness) {
        return Duration.ofNanos((long) (duration.toNanos() * slowness));
    }
}
