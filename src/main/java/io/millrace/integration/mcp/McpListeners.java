package io.millrace.integration.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.http.socket.EventStream;
import io.millrace.integration.mcp.protocol.RpcMessage;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Clients that subscribe to changes of their tools. Changes on another node are not reported: notices only reduce polling, and
 * the list states its freshness.
 *
 * <p>An instance belongs to one event loop.
 */
final class McpListeners {
    static final String EVENT = "message";

    private static final long DEADLINE_MS = 10_000;
    private static final String SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId";
    private static final String CHANGED = "notifications/tools/list_changed";

    private final Bus bus;
    private final McpAuthenticator door;
    private final Set<Listener> listeners = new LinkedHashSet<>();

    McpListeners(Bus bus, McpAuthenticator door) {
        this.bus = bus;
        this.door = door;
    }

    private static final class Listener {
        private final EventStream stream;
        private final Optional<String> grantId;
        private final Optional<String> sessionId;
        private final ObjectNode meta;
        private final ListenedProject project;

        Listener(EventStream stream, McpCaller caller, Optional<String> sessionId, ObjectNode meta) {
            this.stream = stream;
            this.grantId = caller.isWide() ? caller.grantId() : Optional.empty();
            this.sessionId = sessionId;
            this.meta = meta;
            this.project = new ListenedProject(caller.projectId());
        }

        void tell(String method, ObjectNode params) {
            var message = Json.object().put("jsonrpc", "2.0").put("method", method);
            if (!meta.isEmpty()) {
                params.set("_meta", meta);
            }
            if (!params.isEmpty()) {
                message.set("params", params);
            }
            stream.send(EVENT, message);
        }
    }

    /** Subscribes to notices of other modules, on the current context. */
    void open() {
        bus.on(McpServers.ToolsChanged.class, notice -> changed(notice.projectId()));
        bus.on(McpServers.ContextChanged.class, this::movedTo);
        bus.on(McpSessions.Ended.class, notice -> ended(notice.id()));
    }

    void follow(McpCaller caller, String sessionId, EventStream stream, McpRequest request) {
        add(caller, new Listener(stream, caller, Optional.of(sessionId), Json.object()), request);
    }

    /** Opens a stream whose first message acknowledges the subscription (MCP 2026-07-28, Subscriptions). */
    void subscribe(McpCaller caller, RpcMessage.Call call, EventStream stream, McpRequest request) {
        var meta = Json.object();
        meta.set(SUBSCRIPTION_KEY, call.id());
        var listener = new Listener(stream, caller, Optional.empty(), meta);
        var wanted =
                call.params().path("notifications").path("toolsListChanged").asBoolean(false);
        var honoured = Json.object();
        if (wanted) {
            honoured.put("toolsListChanged", true);
        }
        var params = Json.object();
        params.set("notifications", honoured);
        listener.tell("notifications/subscriptions/acknowledged", params);
        if (wanted) {
            add(caller, listener, request);
        }
    }

    /** A stream ends at the latest with the token that opened it. */
    private void add(McpCaller caller, Listener listener, McpRequest request) {
        listeners.add(listener);
        listener.stream.whenClosed(() -> listeners.remove(listener));
        listener.stream.onHeartbeat(() -> door.enter(request).onFailure(_ -> listener.stream.end()));
        if (caller.isWide()) {
            bus.ask(new McpServers.ContextOf(caller.grantId().orElseThrow()), DEADLINE_MS)
                    .onSuccess(listener.project::found);
        }
    }

    private void changed(String projectId) {
        tell(List.copyOf(listeners).stream()
                .filter(listener -> listener.project.is(projectId))
                .toList());
    }

    private void movedTo(McpServers.ContextChanged notice) {
        var moved = List.copyOf(listeners).stream()
                .filter(listener ->
                        listener.grantId.filter(notice.grantId()::equals).isPresent())
                .toList();
        moved.forEach(listener -> listener.project.moveTo(notice.projectId()));
        tell(moved);
    }

    /** Notifies each session once, on its latest stream. */
    private static void tell(List<Listener> audience) {
        var told = new HashSet<String>();
        for (var listener : audience.reversed()) {
            if (listener.sessionId.map(told::add).orElse(true)) {
                listener.tell(CHANGED, Json.object());
            }
        }
    }

    private void ended(String sessionId) {
        List.copyOf(listeners).stream()
                .filter(listener -> listener.sessionId.filter(sessionId::equals).isPresent())
                .forEach(listener -> listener.stream.end());
    }
}
