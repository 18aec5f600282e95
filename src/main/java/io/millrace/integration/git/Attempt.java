package io.millrace.integration.git;

import io.millrace.base.net.Fence;
import java.io.IOException;
import org.eclipse.jgit.lib.EmptyProgressMonitor;

/**
 * One attempt of an operation, which another thread can cancel at its timeout: the connection is closed, and work on objects
 * stops at the next progress check. After the loss of its fence, the attempt sends no data.
 */
final class Attempt extends EmptyProgressMonitor {
    private final Fence fence;
    private AutoCloseable connection;
    private boolean over;
    private boolean fenced;

    /** @param fence permission to send, checked before each write to the remote */
    Attempt(Fence fence) {
        this.fence = fence;
    }

    /**
     * Fails when the fence is lost, now or earlier. Then closes the connection: the library might otherwise wait for an answer
     * to unsent data.
     */
    synchronized void requireFence() throws IOException {
        if (!fenced && fence.isHeld()) {
            return;
        }
        fenced = true;
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (Exception failure) {
            throw new IOException("the lease of this server ended", failure);
        }
        throw new IOException("the lease of this server ended");
    }

    synchronized boolean isFenced() {
        return fenced;
    }

    synchronized void watch(AutoCloseable opened) throws Exception {
        connection = opened;
        if (over) {
            opened.close();
        }
    }

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
