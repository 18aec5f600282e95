package io.millrace.engine.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;

/** Takes runs in as part of a transaction; they begin after its commit. Implemented by the run module. */
public interface RunIntake {
    /** The flow whose runs are to begin. */
    record Target(String projectId, String flowId, String flowVersionId, String flowName) {}

    /**
     * The run that called the flow (contract flows-and-engine 14.3).
     *
     * @param runId null when no run did
     */
    record CallingRun(String runId, boolean failsWithThem) {
        public static final CallingRun NOBODY = new CallingRun(null, true);
    }

    /**
     * Takes one PRODUCTION run for each item, except those whose {@code _dedupe_key} was seen lately (contract
     * flows-and-engine 18.6).
     *
     * @return how many were taken
     */
    default Future<Integer> accept(Tx tx, Target target, List<JsonNode> items) {
        return accept(tx, target, CallingRun.NOBODY, items);
    }

    /** The same for runs that a run may have called. */
    Future<Integer> accept(Tx tx, Target target, CallingRun caller, List<JsonNode> items);

    /** Begins what was taken in, now rather than at the next sweep; called after the commit. */
    void wake();
}
