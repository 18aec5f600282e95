package io.millrace.engine.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.persistence.OutageRetry;
import io.millrace.piece.input.FileFetcher;
import io.millrace.sandbox.expression.Secrets;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import java.util.Set;

/**
 * Services of hooks whose writes wait for an unavailable database: a hook stores the id of its registration at an external
 * service, and without that id the registration cannot be removed. The timeout of the hook bounds the wait of its caller.
 */
public final class RecordingHookServices implements HookServices {
    private final HookServices services;
    private final OutageRetry retry;

    public RecordingHookServices(HookServices services, OutageRetry retry) {
        this.services = services;
        this.retry = retry;
    }

    @Override
    public Future<Optional<JsonNode>> storeGet(String projectId, String key) {
        return services.storeGet(projectId, key);
    }

    @Override
    public Future<Void> storePut(String projectId, String key, JsonNode value) {
        return retry.perform(OutageRetry.OF_CALLERS, () -> false, () -> services.storePut(projectId, key, value));
    }

    @Override
    public Future<Void> storeDelete(String projectId, String key) {
        return retry.perform(OutageRetry.OF_CALLERS, () -> false, () -> services.storeDelete(projectId, key));
    }

    @Override
    public Future<String> writeFile(String projectId, String flowId, String stepName, String fileName, Buffer data) {
        return services.writeFile(projectId, flowId, stepName, fileName, data);
    }

    @Override
    public Future<Secrets> secrets(String projectId, Set<String> connectionNames, Set<String> variableNames) {
        return services.secrets(projectId, connectionNames, variableNames);
    }

    @Override
    public FileFetcher files() {
        return services.files();
    }
}
