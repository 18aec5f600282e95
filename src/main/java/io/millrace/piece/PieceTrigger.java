package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** One thing a flow can begin with. */
public interface PieceTrigger {
    TriggerSpec spec();

    /**
     * Turns an incoming payload into items, each of which starts one run (contract flows-and-engine 18.2).
     *
     * @return the items; an empty list starts nothing
     */
    Future<List<JsonNode>> run(TriggerContext context);

    /** Items that an editor shows as samples (18.7). */
    default Future<List<JsonNode>> test(TriggerContext context) {
        return run(context);
    }

    /** When a POLLING trigger runs; empty means the server's default interval (18.3). */
    default Optional<CronSchedule> schedule(ObjectNode props) {
        return Optional.empty();
    }
}
