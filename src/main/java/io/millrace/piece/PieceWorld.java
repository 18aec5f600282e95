package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Services of the project that a piece may use in any kind of call (contract pieces 4.1). Implemented by a higher
 * module.
 */
public interface PieceWorld {
    /**
     * Value of a connection for a piece; fails with {@link PieceFailure} when the project has no usable connection of
     * this name, or the piece may not use it.
     */
    Future<JsonNode> connection(String projectId, String pieceName, String externalId);

    /**
     * An input with its expressions resolved, as far as they refer to connections and variables.
     *
     * @param bareSecrets true for a piece with the oldest calling convention (flows-and-engine 7.6)
     */
    Future<ObjectNode> resolved(String projectId, String pieceName, ObjectNode input, boolean bareSecrets);

    /**
     * A page of flows with their versions (5.5).
     *
     * @param externalIds only these; empty for all
     */
    Future<JsonNode> flows(String projectId, List<String> externalIds);

    /** External id of the project, set by its owner. */
    Future<Optional<String>> projectExternalId(String projectId);
}
