package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BinaryNode;
import java.io.IOException;
import java.util.Map;

/**
 * Response of a run to the HTTP caller that waits for it (contract flows-and-engine 13).
 *
 * @param status HTTP status, 100 to 599
 * @param body null means the default, an empty object
 * @param isFile true if the body is bytes: a binary value, which is base64 text once it was kept or sent as JSON
 */
public record HttpAnswer(int status, Map<String, String> headers, JsonNode body, boolean isFile) {
    public HttpAnswer {
        if (status < 100 || status > 599) {
            throw new IllegalArgumentException("expected an HTTP status from 100 to 599, found " + status);
        }
        headers = Map.copyOf(headers);
    }

    public HttpAnswer(int status, Map<String, String> headers, JsonNode body) {
        this(status, headers, body, false);
    }

    /** An answer that is a file; its headers name its content type. */
    public static HttpAnswer ofFile(int status, Map<String, String> headers, byte[] bytes) {
        return new HttpAnswer(status, headers, BinaryNode.valueOf(bytes), true);
    }

    /** The bytes of an answer that is a file. */
    public byte[] bytes() {
        try {
            var bytes = body == null ? null : body.binaryValue();
            return bytes == null ? new byte[0] : bytes;
        } catch (IOException noBase64) {
            throw new IllegalStateException("the answer of a run is kept as base64", noBase64);
        }
    }
}
