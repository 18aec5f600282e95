package io.millrace.engine.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.table.event.RecordEvent;
import io.millrace.authoring.table.event.RecordListeners;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;

/** Starts flows whose trigger listens to a table: their runs commit together with the change of the record. */
public final class RecordRuns implements RecordListeners {
    private final RunIntake runs;
    private final TriggerSourceStore store = new TriggerSourceStore();

    public RecordRuns(RunIntake runs) {
        this.runs = runs;
    }

    @Override
    public Future<Integer> deliver(Tx tx, String tableId, RecordEvent event, List<ObjectNode> records) {
        var items = List.<JsonNode>copyOf(records);
        return store.subscribed(tx, APP, event.name(), tableId).compose(targets -> {
            var taken = Future.succeededFuture(0);
            for (var target : targets) {
                taken = taken.compose(before -> runs.accept(tx, target, items).map(count -> before + count));
            }
            return taken;
        });
    }

    @Override
    public void wake() {
        runs.wake();
    }
}
