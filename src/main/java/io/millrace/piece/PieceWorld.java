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
     * The input of a step that is being edited, resolved without a run: references to steps are empty. A connection is resolved as a
     * whole, in the field {@code auth} only; references to connections in other fields are empty. Fails with {@link PieceFailure} when
     * {@code auth} has expressions and is not exactly one reference to a connection: the code of a piece may send {@code auth} to an
     * address inside {@code auth}.
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

    Future<Optional<String>> projectExternalId(String projectId);
}
