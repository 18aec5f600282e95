package io.millrace.engine.action;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunStatus;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Optional;

/**
 * Record of a run of one action without a flow.
 *
 * @param userId user who started it; empty for an API key
 * @param connection external id of the connection; empty for none
 * @param errorMessage JSON text of contract flows-and-engine 11.3; empty unless the run failed
 */
public record ActionRun(
        String id,
        Instant created,
        String projectId,
        Optional<String> userId,
        String pieceName,
        String pieceVersion,
        String actionName,
        Optional<String> connection,
        Origin origin,
        int timeoutSeconds,
        OnCrash onCrash,
        RunStatus status,
        Optional<Instant> started,
        Optional<Instant> ended,
        Optional<String> errorMessage) {
    public enum Origin {
        API,
        MCP
    }

    /** Handling of an action that was executing when its node stopped. */
    public enum OnCrash {
        /** Executes the action again with the same idempotency key. */
        RETRY,
        FAIL
    }

    /**
     * A run with its payloads as JSON text.
     *
     * @param input as given, with credentials masked
     * @param output empty without an output
     * @param log JSON text of the fields of a step's log; empty without a line
     */
    public record Details(ActionRun run, Buffer input, Optional<Buffer> output, Optional<String> log) {
        public ObjectNode toJson() {
            var json = run.toJson();
            json.putRawValue("input", new RawValue(input.toString()));
            output.ifPresent(text -> json.putRawValue("output", new RawValue(text.toString())));
            log.ifPresent(text -> json.setAll((ObjectNode) Json.trusted(text)));
            return json;
        }
    }

    public String failureText() {
        return errorMessage
                .map(text -> Json.trusted(text).path("message").asText())
                .orElse("");
    }

    /** The record as lists show it: without input and output. */
    public ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("projectId", projectId)
                .put("pieceName", pieceName)
                .put("pieceVersion", pieceVersion)
                .put("actionName", actionName)
                .put("origin", origin.name())
                .put("timeoutSeconds", timeoutSeconds)
                .put("onCrash", onCrash.name())
                .put("status", status.name());
        userId.ifPresent(user -> json.put("userId", user));
        connection.ifPresent(name -> json.put("connectionExternalId", name));
        started.ifPresent(time -> json.put("started", Json.timestamp(time)));
        ended.ifPresent(time -> json.put("ended", Json.timestamp(time)));
        errorMessage.ifPresent(text -> json.set("failure", Json.trusted(text)));
        return json;
    }
}
