package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/**
 * Response of a run to the HTTP caller that waits for it (contract flows-and-engine 13).
 *
 * @param status HTTP status, 100 to 599
 * @param body null means the default, an empty object
 */
public record HttpAnswer(int status, Map<String, String> headers, JsonNode body) {
    public HttpAnswer {
        if (status < 100 || status > 599) {
            throw new IllegalArgumentException("expected an HTTP status from 100 to 599, found " + status);
        }
        headers = Map.copyOf(headers);
    }
}
