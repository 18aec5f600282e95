package io.millrace.authoring.table.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;

/** Flows whose trigger hears of the records of a table. Plugged in by the module of triggers. */
public interface RecordListeners {
    /** What triggers name as the app whose events they hear. */
    String APP = "@activepieces/piece-tables";

    /**
     * Lets each flow that listens begin a run for each record, as part of the transaction that changes them.
     *
     * @return how many runs
     */
    Future<Integer> hear(Tx tx, String tableId, RecordEvent event, List<ObjectNode> records);

    /** Begins what was taken in; called after the commit. */
    void wake();
}
