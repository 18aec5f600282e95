package io.millrace.engine.run.step;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.sandbox.expression.Secrets;
import io.millrace.workspace.connection.ConnectionUse;
import io.millrace.workspace.connection.Connections;
import io.millrace.workspace.variable.Variables;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class StepSecrets {
    private static final Logger LOG = LoggerFactory.getLogger(StepSecrets.class);

    private final Bus bus;
    private final long deadlineMs;
    private final boolean isBound;

    /** @param isBound whether a connection is restricted to its own piece (AP_ENFORCE_CONNECTION_PIECE_BINDING) */
    StepSecrets(Bus bus, long deadlineMs, boolean isBound) {
        this.bus = bus;
        this.deadlineMs = deadlineMs;
        this.isBound = isBound;
    }

    /** An unusable connection fails with its reason when it is read. */
    Future<Secrets> load(String projectId, Set<String> connectionNames, Set<String> variableNames) {
        var connections = connections(projectId, connectionNames);
        var variables = variables(projectId, variableNames);
        return connections.compose(loaded -> variables.map(values -> new Secrets(loaded, values)));
    }

    private Future<Map<String, String>> variables(String projectId, Set<String> names) {
        return names.isEmpty()
                ? Future.succeededFuture(Map.of())
                : bus.ask(new Variables.FindValues(projectId, names), deadlineMs);
    }

    private Future<Map<String, Secrets.LoadedConnection>> connections(String projectId, Set<String> names) {
        return names.isEmpty()
                ? Future.succeededFuture(Map.of())
                : bus.ask(new Connections.Use(projectId, names), deadlineMs)
                        .map(this::loaded)
                        .recover(failure -> isAway(failure)
                                ? Future.failedFuture(failure)
                                : Future.succeededFuture(notLoaded(projectId, names, failure)));
    }

    /**
     * Returns whether the failure is temporary: a database becomes available again; a provider that does not answer in
     * time may not.
     */
    private static boolean isAway(Throwable failure) {
        return ApiException.isUnavailable(failure) && !Bus.isUnanswered(failure, Connections.Use.class);
    }

    /** Omits the connections that were not found. */
    private Map<String, Secrets.LoadedConnection> loaded(Map<String, ConnectionUse> uses) {
        var loaded = new HashMap<String, Secrets.LoadedConnection>();
        uses.forEach((name, use) -> {
            switch (use) {
                case ConnectionUse.Usable(var value, var pieceName) ->
                    loaded.put(
                            name,
                            isBound
                                    ? new Secrets.LoadedConnection.Bound(value, pieceName)
                                    : new Secrets.LoadedConnection.Value(value));
                case ConnectionUse.Expired() -> loaded.put(name, Secrets.expired(name));
                case ConnectionUse.Unresolved(var message) -> loaded.put(name, Secrets.notLoaded(name, message));
                case ConnectionUse.Unloadable() -> loaded.put(name, Secrets.notLoaded(name));
                case ConnectionUse.NotFound() -> loaded.remove(name);
            }
        });
        return loaded;
    }

    private static Map<String, Secrets.LoadedConnection> notLoaded(
            String projectId, Set<String> names, Throwable failure) {
        LOG.warn("cannot load connections of project {}: {}", projectId, failure.getMessage());
        var loaded = new HashMap<String, Secrets.LoadedConnection>();
        names.forEach(name -> loaded.put(name, Secrets.notLoaded(name)));
        return loaded;
    }
}
