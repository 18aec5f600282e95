package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.piece.AnswerHeaders;
import io.millrace.piece.HttpAnswer;
import io.millrace.piece.PieceFailure;
import java.util.LinkedHashMap;

/** HTTP responses of packages: {@code {status?, body?, headers?}} (contract pieces 4.2). */
final class Answers {
    private static final int STATUS = 200;

    private Answers() {}

    static HttpAnswer read(JsonNode response) {
        var status = response.path("status").asInt(STATUS);
        if (status < 100 || status > 599) {
            throw PieceFailure.of("expected an HTTP status from 100 to 599, found " + status);
        }
        var headers = new LinkedHashMap<String, String>();
        response.path("headers")
                .properties()
                .forEach(
                        header -> headers.put(header.getKey(), header.getValue().asText()));
        return new HttpAnswer(status, AnswerHeaders.checked(headers), response.get("body"));
    }
}
