package io.millrace.support;

import java.time.Duration;

/**
 * Slowness of this machine against the one that the deadlines of the tests were chosen on: 1 there and on faster ones, 4
 * where a thread gets a quarter of that work done. Measured once when the process of the tests starts, and again when a
 * deadline runs out. A deadline that is multiplied by it fails no test because the machine is slow or busy.
 */
public final class MachineSpeed {
    private static final int ROUNDS = 20_000_000;

    /** Time of {@link #ROUNDS} on a processor core of the reference machine that does nothing else. */
    private static final long REFERENCE_NANOS = Duration.ofMillis(44).toNanos();

    private static final double SLOWNESS_MAX = 10;

    private static final double AT_START = measured();

    private MachineSpeed() {}

    /** The deadline times the slowness at the start of this process. */
    public static Duration deadline(Duration onReferenceMachine) {
        return times(onReferenceMachine, AT_START);
    }

    /** The extension of a deadline that runs out: zero on a machine as fast and idle as the reference. */
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
