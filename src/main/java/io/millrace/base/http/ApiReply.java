package io.millrace.base.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Page;
import io.vertx.core.buffer.Buffer;
import java.util.function.Function;

/**
 * An answer of the API.
 *
 * @param body null for an empty body
 * @param contentType null for an empty body
 */
public record ApiReply(int status, Buffer body, String contentType) {
    /** Content type of JSON. */
    public static final String JSON = "application/json; charset=utf-8";

    public static ApiReply ok(JsonNode body) {
        return json(200, body);
    }

    public static ApiReply created(JsonNode body) {
        return json(201, body);
    }

    /** 204 without a body. */
    public static ApiReply empty() {
        return new ApiReply(204, null, null);
    }

    /** 200 without a body. */
    public static ApiReply okEmpty() {
        return new ApiReply(200, null, null);
    }

    /** 200 with a page of rows. */
    public static <T> ApiReply page(Page<T> page, Function<T, ? extends JsonNode> toJson) {
        return ok(pageBody(page, toJson));
    }

    /** 200 with a page of rows that may hold long chains of steps. */
    public static <T> ApiReply deepPage(Page<T> page, Function<T, ? extends JsonNode> toJson) {
        return deep(200, pageBody(page, toJson));
    }

    private static <T> JsonNode pageBody(Page<T> page, Function<T, ? extends JsonNode> toJson) {
        var body = Json.object();
        var data = body.putArray("data");
        page.data().forEach(row -> data.add(toJson.apply(row)));
        return body.put("next", page.next()).put("previous", page.previous());
    }

    /** An answer that may hold a long chain of steps. */
    public static ApiReply deep(int status, JsonNode body) {
        return new ApiReply(status, Buffer.buffer(DeepJson.bytes(body)), JSON);
    }

    public static ApiReply json(int status, JsonNode body) {
        return new ApiReply(status, Buffer.buffer(Json.bytes(body)), JSON);
    }

    /** An answer whose JSON is text already. */
    public static ApiReply text(int status, Buffer json) {
        return new ApiReply(status, json, JSON);
    }

    public static ApiReply of(int status, String contentType, String text) {
        return new ApiReply(status, Buffer.buffer(text), contentType);
    }
}
