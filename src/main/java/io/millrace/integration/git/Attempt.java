package io.millrace.integration.git;

import org.eclipse.jgit.lib.EmptyProgressMonitor;

/**
 * One try of an operation, which may be ended from another thread when its time is over: the connection is closed under
 * it, and work on objects stops at the next opportunity.
 */
final class Attempt extends EmptyProgressMonitor {
    private AutoCloseable connection;
    private boolean over;

    /** The connection to close when time is over; closed at once when it is. */
    synchronized void watch(AutoCloseable opened) throws Exception {
        connection = opened;
        if (over) {
            opened.close();
        }
    }

    /** Time is over. */
    synchronized void end() throws Exception {
        over = true;
        if (connection != null) {
            connection.close();
        }
    }

    synchronized boolean isOver() {
        return over;
    }

    @Override
    public boolean isCancelled() {
        return isOver();
    }
}
