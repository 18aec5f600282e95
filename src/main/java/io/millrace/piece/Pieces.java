package io.millrace.piece;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.bus.Request;
import java.util.List;
import java.util.Optional;

/** What one may ask of the pieces this server knows (contract flows-and-engine 29). Answered by {@link PieceService}. */
public sealed interface Pieces {
    /** Summaries of pieces. */
    record Find(PieceQuery query) implements Pieces, Request<ArrayNode> {}

    /** Every piece with every version, as {@code {name, version}}. */
    record FindRegistered() implements Pieces, Request<ArrayNode> {}

    /**
     * The whole description of a piece; fails with ENTITY_NOT_FOUND.
     *
     * @param version exact, or with {@code ~} or {@code ^} for the newest compatible one; empty for the newest
     */
    record Get(String name, Optional<String> version) implements Pieces, Request<ObjectNode> {}

    /** Exact versions of a piece, newest first; fails with ENTITY_NOT_FOUND. */
    record FindVersions(String name) implements Pieces, Request<List<String>> {}

    /**
     * What a property offers, given the input so far; fails with ENTITY_NOT_FOUND.
     *
     * @param step name of an action or a trigger of the piece
     */
    record FindOptions(String name, String version, String step, String property, ObjectNode input)
            implements Pieces, Request<ObjectNode> {}
}
