package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.table.event.FlowCalls;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.engine.run.IdempotencyKey;
import io.millrace.engine.run.Runs;
import io.millrace.engine.webhook.Webhooks.Variant;
import io.vertx.core.Future;
import java.util.List;

/** Calls the webhooks of flows that subscribe to records, in process instead of over the network. */
public final class TableCalls implements FlowCalls {
    private static final long DEADLINE_MS = 30_000;

    private final Bus bus;

    public TableCalls(Bus bus) {
        this.bus = bus;
    }

    @Override
    public Future<Void> call(String flowId, ObjectNode body, String key) {
        var payload = Json.object().put("method", "POST");
        payload.putObject("headers").put("content-type", "application/json");
        payload.putObject("queryParams");
        payload.set("body", body);
        var received = new Webhooks.Received(
                flowId,
                Variant.ASYNC,
                payload,
                List.of(),
                Runs.Start.ParentRun.none(true),
                new Webhooks.Received.CallMarks(IdempotencyKey.of(key), null, null),
                DEADLINE_MS);
        return bus.ask(received, DEADLINE_MS).mapEmpty();
    }
}
