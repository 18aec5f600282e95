package io.millrace.workspace.connection.credential;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.workspace.secretmanager.SecretManagers;
import io.millrace.workspace.secretmanager.SecretReference;
import io.vertx.core.Future;
import java.util.Optional;

/** Resolves the references to secrets in a value (contract admin-api 26.3). The resolved value must not be stored. */
public final class ConnectionSecrets {
    /** Slightly shorter than a run's timeout for a connection. */
    private static final long DEADLINE_MS = 28_000;

    private final Bus bus;

    public ConnectionSecrets(Bus bus) {
        this.bus = bus;
    }

    /**
     * Fails as {@link SecretManagers.Resolve}. A value without references is returned without a call.
     *
     * @param projectId project that uses the value; empty for a connection of the whole platform that no project is using
     */
    public Future<ObjectNode> in(String platformId, Optional<String> projectId, ObjectNode value) {
        return SecretReference.isIn(value)
                ? bus.ask(new SecretManagers.Resolve(platformId, projectId, value), DEADLINE_MS)
                : Future.succeededFuture(value);
    }

    /** A renewed value in its stored form: resolved secrets become references again. */
    static ObjectNode withReferencesOf(ObjectNode before, ObjectNode renewed) {
        before.properties().stream()
                .filter(field -> SecretReference.isIn(field.getValue()))
                .forEach(field -> renewed.set(field.getKey(), field.getValue()));
        return renewed;
    }
}
