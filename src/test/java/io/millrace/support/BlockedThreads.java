package io.millrace.support;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;

/**
 * Warnings of the blocked-thread checker of Vert.x that were not taken yet, without those during a stall of the whole
 * machine, and those of a thread that was blocked for less than the limit times the slowness of the machine.
 */
public final class BlockedThreads extends AppenderBase<ILoggingEvent> {
    /** Duration and limit, in milliseconds. */
    private static final Pattern DURATIONS = Pattern.compile("blocked for (\\d+) ms, time limit is (\\d+) ms");

    /** The checker reports threads that are blocked for longer than two seconds, and checks every second. */
    private static final long WARNS_WITHIN_NANOS = Duration.ofSeconds(4).toNanos();

    private final Pulse pulse = new Pulse();
    private final ConcurrentLinkedQueue<Warning> warnings = new ConcurrentLinkedQueue<>();

    private record Warning(String text, long nanoTime) {}

    /** The warnings since they were last taken. */
    List<String> take() {
        var taken = new ArrayList<String>();
        for (var warning = warnings.poll(); warning != null; warning = warnings.poll()) {
            if (!pulse.stoodStillSince(warning.nanoTime() - WARNS_WITHIN_NANOS)) {
                taken.add(warning.text());
            }
        }
        return taken;
    }

    /** True if a warning logged now would be kept: the machine has not stalled within the last four seconds. */
    boolean wouldKeep() {
        return !pulse.stoodStillSince(System.nanoTime() - WARNS_WITHIN_NANOS);
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (isTooLong(event.getFormattedMessage(), MachineSpeed.measured())) {
            warnings.add(new Warning(event.getFormattedMessage(), System.nanoTime()));
        }
    }

    static boolean isTooLong(String warning, double slowness) {
        var durations = DURATIONS.matcher(warning);
        return !durations.find() || Long.parseLong(durations.group(1)) >= Long.parseLong(durations.group(2)) * slowness;
    }
}
