package io.millrace.support;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Keeps what the blocked-thread checker of Vert.x says, until somebody takes it. */
public final class BlockedThreads extends AppenderBase<ILoggingEvent> {
    private final ConcurrentLinkedQueue<String> warnings = new ConcurrentLinkedQueue<>();

    /** The warnings since they were last taken. */
    List<String> take() {
        var taken = new ArrayList<String>();
        for (var warning = warnings.poll(); warning != null; warning = warnings.poll()) {
            taken.add(warning);
        }
        return taken;
    }

    @Override
    protected void append(ILoggingEvent event) {
        warnings.add(event.getFormattedMessage());
    }
}
