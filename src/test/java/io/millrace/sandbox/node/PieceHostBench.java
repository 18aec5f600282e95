package io.millrace.sandbox.node;

import io.millrace.base.core.Json;
import io.millrace.sandbox.node.call.NodeResult;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/**
 * Measures the overhead of a call into a package, and of the start of its process for the first call or after a kill.
 * Run by {@code scripts/bench}.
 */
final class PieceHostBench {
    private static final int WARM_UP_CALLS = 3_000;
    private static final int CALLS = 5_000;
    private static final int STARTS = 9;
    private static final long HEAP_BYTES = 256L << 20;

    /** Time after which a call has reached its process. */
    private static final long UNDER_WAY_NANOS = 50_000_000;

    private static final double NANOS_PER_MS = 1_000_000;

    private final PrintStream out;

    private PieceHostBench(PrintStream out) {
        this.out = out;
    }

    /** Prints one line for each figure. */
    public static void main(String[] arguments) {
        new PieceHostBench(System.out).measure();
    }

    private void measure() {
        var starts = new long[STARTS];
        for (var i = 0; i < STARTS; i++) {
            try (var bench = new NodeBench(HEAP_BYTES, 2)) {
                say("processes before the first call", bench.processes().size(), i == 0);
                starts[i] = call(bench);
            }
        }
        say("first call, process and piece not loaded", starts);
        try (var bench = new NodeBench(HEAP_BYTES, 2)) {
            LongStream.range(0, WARM_UP_CALLS).forEach(_ -> call(bench));
            say("warm call", LongStream.range(0, CALLS).map(_ -> call(bench)).toArray());
            say("call after the idle process was killed", afterKills(bench));
            say("failed call and the next one, process killed in the middle", afterKillsInTheMiddle(bench));
        }
    }

    private static long call(NodeBench bench) {
        var begun = System.nanoTime();
        var result = bench.action("echo", Json.object().put("v", 1));
        if (!(result instanceof NodeResult.Returned)) {
            throw new IllegalStateException("expected a result, found " + result);
        }
        return System.nanoTime() - begun;
    }

    private static long[] afterKills(NodeBench bench) {
        var nanos = new long[STARTS];
        for (var i = 0; i < STARTS; i++) {
            kill(bench);
            nanos[i] = call(bench);
        }
        return nanos;
    }

    /** Loses one call, and measures the time until the next one has been answered. */
    private static long[] afterKillsInTheMiddle(NodeBench bench) {
        var nanos = new long[STARTS];
        for (var i = 0; i < STARTS; i++) {
            call(bench);
            var hanging = bench.start("loop", Json.object(), 20_000);
            LockSupport.parkNanos(UNDER_WAY_NANOS);
            var begun = System.nanoTime();
            kill(bench);
            var lost = NodeBench.await(hanging);
            if (lost instanceof NodeResult.Returned) {
                throw new IllegalStateException("expected a call that failed, found " + lost);
            }
            call(bench);
            nanos[i] = System.nanoTime() - begun;
        }
        return nanos;
    }

    private static void kill(NodeBench bench) {
        bench.processes().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }

    private void say(String what, int count, boolean isSaid) {
        if (isSaid) {
            out.printf(Locale.ROOT, "%-60s %d%n", what, count);
        }
    }

    private void say(String what, long... nanos) {
        Arrays.sort(nanos);
        out.printf(
                Locale.ROOT,
                "%-60s p50 %8.3f ms  p99 %8.3f ms  (%d)%n",
                what,
                nanos[nanos.length / 2] / NANOS_PER_MS,
                nanos[(int) (nanos.length * 0.99)] / NANOS_PER_MS,
                nanos.length);
    }
}
