package io.millrace.engine.run.log;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.HttpAnswer;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;

/** Text form in which the answer of a run is stored. */
public final class AnswerText {
    private AnswerText() {}

    public static Buffer of(HttpAnswer answer) {
        var json = Json.object().put("status", answer.status());
        var headers = json.putObject("headers");
        answer.headers().forEach(headers::put);
        if (answer.body() != null) {
            json.set("body", answer.body());
        }
        if (answer.isFile()) {
            json.put("isFile", true);
        }
        return RecordText.of(json);
    }

    public static HttpAnswer read(byte[] text) {
        var json = (ObjectNode) RecordText.read(text);
        var headers = new HashMap<String, String>();
        json.path("headers")
                .properties()
                .forEach(
                        header -> headers.put(header.getKey(), header.getValue().textValue()));
        return new HttpAnswer(
                json.path("status").asInt(),
                headers,
                json.get("body"),
                json.path("isFile").asBoolean(false));
    }
}
