package io.millrace.engine.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;

/** Accepts any number of runs as part of a transaction; they start after its commit. Implemented by the run module. */
public interface RunIntake {
    record Target(String projectId, String flowId, String flowVersionId, String flowName) {}

    /**
     * Takes one PRODUCTION run for each item, except those whose {@code _dedupe_key} was seen lately (contract flows-and-engine
     * 18.6).
     *
     * @return number of accepted items
     */
    Future<Integer> accept(Tx tx, Target target, List<JsonNode> items);

    /** Starts accepted runs now instead of at the next sweep; called after the commit. */
    void wake();
}
