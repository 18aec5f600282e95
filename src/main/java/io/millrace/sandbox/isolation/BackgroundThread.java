package io.millrace.sandbox.isolation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Scheduling of threads of the server whose work may wait. */
public final class BackgroundThread {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundThread.class);
    private static final Path STATES = Path.of("/proc/thread-self");

    /**
     * A third of the usual weight. With less, live calls waited for more than a second on a busy host, probably because a garbage
     * collection waited for this thread (decision 0449).
     */
    private static final int NICE = 5;

    private BackgroundThread() {}

    /**
     * Lowers the priority of the calling platform thread, which has no other work from then on. The priority of a server that was
     * started with a lower one stays.
     *
     * @return false where the system does not support it
     */
    public static boolean lowerOwn() {
        try {
            return Files.exists(STATES)
                    && (Scheduler.ownNice() >= NICE || Scheduler.setOwnPolicy(Scheduler.Policy.OTHER, NICE, 0));
        } catch (IOException unreadable) {
            LOG.debug("cannot read the priority of a thread", unreadable);
            return false;
        }
    }
}
