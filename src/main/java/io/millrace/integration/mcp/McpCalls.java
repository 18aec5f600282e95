package io.millrace.integration.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.core.Json;
import io.millrace.integration.mcp.tool.CallCancellation;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Calls that are being answered on one event loop, by which a notification finds the call that it cancels. The notification may
 * arrive at another node. A call belongs to its session, or without one to the address of its caller.
 */
final class McpCalls {
    private final Bus bus;
    private final Map<Cancelled, Set<CallCancellation>> inFlight = new HashMap<>();

    McpCalls(Bus bus) {
        this.bus = bus;
    }

    /**
     * A client has canceled a call.
     *
     * @param holder identity of the token
     * @param origin id of the session, or the address of a caller without one
     * @param requestId JSON of the id
     */
    record Cancelled(String holder, String origin, String requestId) implements ClusterNotice {
        static Cancelled of(McpCaller caller, String origin, JsonNode requestId) {
            return new Cancelled(caller.holder(), origin, Json.text(requestId));
        }
    }

    /** Subscribes to cancellations, on the current context. */
    void open() {
        bus.on(
                Cancelled.class,
                call -> Set.copyOf(inFlight.getOrDefault(call, Set.of())).forEach(CallCancellation::request));
    }

    /** An unknown call is ignored. */
    void cancel(Cancelled call) {
        bus.publish(call);
    }

    void keep(Cancelled call, CallCancellation cancellation, Future<?> end) {
        inFlight.computeIfAbsent(call, _ -> new LinkedHashSet<>()).add(cancellation);
        end.onComplete(_ -> inFlight.computeIfPresent(call, (_, calls) -> {
            calls.remove(cancellation);
            return calls.isEmpty() ? null : calls;
        }));
    }
}
