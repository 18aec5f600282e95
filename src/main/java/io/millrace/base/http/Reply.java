package io.millrace.base.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import io.millrace.base.core.Page;
import io.vertx.core.buffer.Buffer;
import java.util.function.Function;

/**
 * An answer of the API.
 *
 * @param body null for an empty body
 * @param contentType null for an empty body
 */
public record Reply(int status, Buffer body, String contentType) {
    /** Content type of JSON. */
    public static final String JSON = "application/json; charset=utf-8";

    public static Reply ok(JsonNode body) {
        return json(200, body);
    }

    public static Reply created(JsonNode body) {
        return json(201, body);
    }

    /** 204 without a body. */
    public static Reply empty() {
        return new Reply(204, null, null);
    }

    /** 200 without a body. */
    public static Reply okEmpty() {
        return new Reply(200, null, null);
    }

    /** 200 with a page of rows. */
    public static <T> Reply page(Page<T> page, Function<T, ? extends JsonNode> toJson) {
        return ok(pageBody(page, toJson));
    }

    /** 200 with a page of rows that may hold long chains of steps. */
    public static <T> Reply deepPage(Page<T> page, Function<T, ? extends JsonNode> toJson) {
        return deep(200, pageBody(page, toJson));
    }

    private static <T> JsonNode pageBody(Page<T> page, Function<T, ? extends JsonNode> toJson) {
        var body = Json.object();
        var data = body.putArray("data");
        page.data().forEach(row -> data.add(toJson.apply(row)));
        return body.put("next", page.next()).put("previous", page.previous());
    }

    /** An answer that may hold a long chain of steps. */
    public static Reply deep(int status, JsonNode body) {
        return new Reply(status, Buffer.buffer(DeepJson.bytes(body)), JSON);
    }

    public static Reply json(int status, JsonNode body) {
        return new Reply(status, Buffer.buffer(Json.bytes(body)), JSON);
    }

    /** An answer whose JSON is text already. */
    public static Reply text(int status, Buffer json) {
        return new Reply(status, json, JSON);
    }

    public static Reply of(int status, String contentType, String text) {
        return new Reply(status, Buffer.buffer(text), contentType);
    }
}
