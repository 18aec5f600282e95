package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.piece.property.Property;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Calls other flows of the same project on behalf of a step. Implemented by the webhook module. */
public interface Subflows {
    /**
     * A call of a flow, the same in effect as a request to its webhook (contract flows-and-engine 14.1).
     *
     * @param parentRunId run that calls
     * @param failParentOnFailure true if a failure of the called run fails the caller: exactly when the caller
     *     waits
     * @param traceparent header that names the trace of the step that calls
     * @param idempotencyKey the same for a call that is repeated after a crash: it starts no second run. The id of the
     *     waitpoint if the caller waits
     */
    record Call(
            String projectId,
            String flowExternalId,
            String parentRunId,
            boolean failParentOnFailure,
            String idempotencyKey,
            Optional<String> traceparent,
            ObjectNode body) {}

    /** Callable enabled flows of a project: names as labels, external ids as values. */
    Future<List<Property.Option>> callable(String projectId);

    /**
     * Calls a flow and returns the response of its webhook. Fails with a PieceFailure when the flow is missing or
     * disabled.
     */
    Future<JsonNode> call(Call call);

    Future<Void> answer(String callbackUrl, ObjectNode body);
}
