package io.millrace.workspace.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.piece.model.ModelAnswer;
import io.millrace.piece.model.ModelQuestion;
import java.util.Optional;

/** One way to write a question for a model, and to read its answer. Pure. */
interface ModelFormat {
    /** The body of the request. */
    ObjectNode write(String model, ModelQuestion question);

    /** Reads the body of a successful response; fails with IllegalArgumentException when it is none. */
    ModelAnswer read(JsonNode body);

    /** How the same answer comes as a stream of events; empty for a format that is not asked for one. */
    default Optional<StreamedFormat> streamed() {
        return Optional.empty();
    }
}
