package io.millrace.authoring.table.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;

/** Flows whose trigger subscribes to the records of a table. Implemented by the trigger module. */
public interface RecordListeners {
    String APP = "@activepieces/piece-tables";

    /**
     * Starts a run of each subscribed flow for each record, as part of the transaction that changes them.
     *
     * @return number of runs
     */
    Future<Integer> deliver(Tx tx, String tableId, RecordEvent event, List<ObjectNode> records);

    /** Starts the created runs; called after the commit. */
    void wake();
}
