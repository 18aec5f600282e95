package io.millrace.engine.run.step;

import io.millrace.base.net.Fence;

/**
 * Permission of one attempt of a step to send to the outside: valid during the term of the node's lease in which the
 * attempt began. A refusal is final and ends the run on this node, so that no failure handling of the piece or of the
 * step's author sees it. Thread-safe.
 */
final class StepFence implements Fence {
    private final Fence lease;
    private final Runnable onLoss;
    private volatile boolean lost;

    /** @param onLoss called on the thread that is refused, once or more often */
    StepFence(Fence lease, Runnable onLoss) {
        this.lease = lease;
        this.onLoss = onLoss;
    }

    @Override
    public boolean isHeld() {
        if (!lost && !lease.isHeld()) {
            lost = true;
            onLoss.run();
        }
        return !lost;
    }

    boolean isLost() {
        return lost;
    }
}
