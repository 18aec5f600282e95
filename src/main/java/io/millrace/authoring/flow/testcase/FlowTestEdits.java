package io.millrace.authoring.flow.testcase;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The tests of one flow at a time, for the module above, whose transactions it shares. */
public final class FlowTestEdits {
    private final FlowTestStore store = new FlowTestStore();
    private final FlowTestLimits limits;

    public FlowTestEdits(FlowTestLimits limits) {
        this.limits = limits;
    }

    /** The tests of a flow, oldest first. */
    public Future<List<FlowTestCase>> ofFlow(Tx tx, String flowId) {
        return store.ofFlow(tx, flowId);
    }

    public Future<Optional<FlowTestCase>> find(Tx tx, String flowId, String testId) {
        return store.find(tx, flowId, testId);
    }

    /** Inserts or replaces a test. Fails with VALIDATION beyond a limit. */
    public Future<Void> put(Tx tx, String flowId, FlowTestCase test, Instant now) {
        return store.put(tx, flowId, test, limits, now);
    }

    public void checkSize(FlowTestCase test) {
        limits.checkSize(test);
    }

    /** Returns whether there was such a test. */
    public Future<Boolean> delete(Tx tx, String flowId, String testId) {
        return store.delete(tx, flowId, testId);
    }
}
