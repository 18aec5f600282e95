package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * What pieces may ask of the project they work for, whatever they are called for (contract pieces 4.1). Plugged in from
 * above.
 */
public interface PieceWorld {
    /**
     * Value of a connection for a piece; fails with {@link PieceFailure} when the project has none of that name, or none that
     * works, or that the piece may use.
     */
    Future<JsonNode> connection(String projectId, String pieceName, String externalId);

    /**
     * An input with its expressions resolved, as far as they stand for connections and variables.
     *
     * @param bareSecrets whether it is for a piece of the oldest kind (flows-and-engine 7.6)
     */
    Future<ObjectNode> resolved(String projectId, String pieceName, ObjectNode input, boolean bareSecrets);

    /**
     * A page of flows with their versions (5.5).
     *
     * @param externalIds only these; empty for all
     */
    Future<JsonNode> flows(String projectId, List<String> externalIds);

    /** The name that the project's owner gave it for other systems. */
    Future<Optional<String>> projectExternalId(String projectId);
}
