package io.millrace.workspace.model.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.ModelResponse;
import java.util.Optional;

/** Wire format of requests and responses of a model. Pure. */
public interface ModelFormat {
    ObjectNode write(String model, ModelRequest request);

    /** Parses the body of a successful response; fails with IllegalArgumentException when it is malformed. */
    ModelResponse read(JsonNode body);

    /** Streamed form of the response; empty for a format that is never streamed. */
    default Optional<StreamedFormat> streamed() {
        return Optional.empty();
    }
}
