package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import java.util.Arrays;
import java.util.Optional;

/**
 * Response to a {@link RandomCall}: the output of the trigger, and the bytes of the file that its body links to.
 *
 * @param file empty if the body is not a file
 */
record FuzzAnswer(int status, JsonNode got, Optional<byte[]> file) {
    /** First difference from the documented decoding of a call; empty when there is none. */
    Optional<String> difference(RandomCall call) {
        if (status != 200) {
            return Optional.of("status " + status);
        }
        if (Json.text(got).contains("\uFFFD")) {
            return Optional.of("a replacement character");
        }
        if (!got.path("queryParams").equals(call.queryParams())) {
            return Optional.of("query parameters: expected " + call.queryParams());
        }
        if (call.file() == null) {
            return got.path("body").equals(call.body())
                    ? Optional.empty()
                    : Optional.of("body: expected " + call.body());
        }
        if (got.has("rawBody")) {
            return Optional.of("rawBody beside a file");
        }
        return file.filter(bytes -> Arrays.equals(bytes, call.file())).isPresent()
                ? Optional.empty()
                : Optional.of("bytes of the file");
    }
}
