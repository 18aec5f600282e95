package io.millrace.bench;

import io.millrace.support.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Processor time of this machine: the total, including the share withheld by a hypervisor, and the share of the
 * benchmark and its servers. The difference is foreign load: a round with much of it is disturbed.
 */
record HostLoad(Duration all, Duration ours) {
    /** Interrupts are counted for the machine, not for a process. */
    private static final double FOREIGN_SHARE_MAX = 0.15;

    private static final long TICK_MS = 10;

    /** Positions in the first line of /proc/stat: user, nice, system, then idle and iowait, then the others. */
    private static final int IDLE = 4;

    private static final int WAITING = 5;
    private static final int STEAL = 8;

    static HostLoad of(List<ServerProcess> servers) {
        var ours = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        for (var server : servers) {
            var used = ProcessorTime.of(server);
            ours = ours.plus(used.itself()).plus(used.others());
        }
        return new HostLoad(allOfMachine(), ours);
    }

    private static Duration allOfMachine() {
        var stat = Path.of("/proc/stat");
        if (!Files.isReadable(stat)) {
            return Duration.ZERO;
        }
        try (var lines = Files.lines(stat)) {
            var fields = lines.findFirst().orElseThrow().trim().split("\\s+");
            var ticks = 0L;
            for (var at = 1; at <= Math.min(STEAL, fields.length - 1); at++) {
                ticks += at == IDLE || at == WAITING ? 0 : Long.parseLong(fields[at]);
            }
            return Duration.ofMillis(ticks * TICK_MS);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** True if other processes have used much of the machine since then. */
    boolean isDisturbedSince(HostLoad before, Duration length) {
        var foreign = all.minus(before.all).minus(ours.minus(before.ours));
        var machine = length.multipliedBy(Runtime.getRuntime().availableProcessors());
        return foreign.toMillis() > FOREIGN_SHARE_MAX * machine.toMillis();
    }
}
