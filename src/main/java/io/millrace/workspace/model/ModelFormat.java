package io.millrace.workspace.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.piece.model.ModelAnswer;
import io.millrace.piece.model.ModelQuestion;

/** One way to write a question for a model, and to read its answer. Pure. */
interface ModelFormat {
    /** The body of the request. */
    ObjectNode write(String model, ModelQuestion question);

    /** Reads the body of a successful response; fails with IllegalArgumentException when it is none. */
    ModelAnswer read(JsonNode body);
}
