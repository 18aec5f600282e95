package io.millrace.sandbox.node.call;

import io.vertx.core.Future;

public interface RunningNode {
    /** Result of the call; never fails, completes on the caller's context. */
    Future<NodeResult> result();

    /** Ends the call; a process that executes it is killed. Has no effect on a call that has ended. */
    void cancel();
}
