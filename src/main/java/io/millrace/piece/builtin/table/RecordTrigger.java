package io.millrace.piece.builtin.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.ProjectTables;
import io.millrace.piece.ProjectTables.TableRef;
import io.millrace.piece.TriggerContext;
import io.millrace.piece.TriggerSpec;
import io.millrace.piece.builtin.action.Props;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts a flow with a record of a table. The runs are created in the transaction of the change, so that none is lost,
 * and a request to the flow's address cannot forge one.
 */
final class RecordTrigger implements PieceTrigger {
    private static final int SAMPLES = 5;

    enum Event {
        RECORD_CREATED("newRecord", "New Record Created", "Starts the flow for every new record of a table."),
        RECORD_UPDATED("updatedRecord", "Record Updated", "Starts the flow for every updated record of a table."),
        RECORD_DELETED("deletedRecord", "Record Deleted", "Starts the flow for every deleted record of a table.");

        private final String trigger;
        private final String displayName;
        private final String description;

        Event(String trigger, String displayName, String description) {
            this.trigger = trigger;
            this.displayName = displayName;
            this.description = description;
        }
    }

    private final Event event;
    private final ProjectTables tables;
    private final TriggerSpec spec;

    RecordTrigger(Event event, ProjectTables tables) {
        this.event = event;
        this.tables = tables;
        this.spec = new TriggerSpec(
                event.trigger,
                event.displayName,
                event.description,
                Props.of(TablesPiece.TABLE_PROPERTY),
                false,
                TriggerSpec.Strategy.WEBHOOK,
                NullNode.instance,
                TriggerSpec.TestStrategy.TEST_FUNCTION);
    }

    @Override
    public TriggerSpec spec() {
        return spec;
    }

    @Override
    public Future<List<JsonNode>> run(TriggerContext context) {
        return Future.succeededFuture(List.of());
    }

    @Override
    public Future<List<JsonNode>> test(TriggerContext context) {
        return tables.newest(placeOf(context), SAMPLES).map(newest -> {
            var items = new ArrayList<JsonNode>();
            newest.forEach(items::add);
            return items;
        });
    }

    @Override
    public Future<Void> onEnable(TriggerContext context) {
        return tables.idOf(placeOf(context)).map(tableId -> {
            context.createListeners(List.of(event.name()), tableId);
            return null;
        });
    }

    private static TableRef placeOf(TriggerContext context) {
        var table = context.props().path(TablesPiece.TABLE).asText("");
        if (table.isEmpty()) {
            throw PieceFailure.of("expected a table to listen to, found none");
        }
        return new TableRef(context.projectId(), table);
    }
}
