package io.millrace.base.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Page;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Function;

/**
 * A response of the API.
 *
 * @param body null for an empty body
 * @param contentType null for an empty body
 */
public record ApiReply(int status, Buffer body, String contentType) {
    public static final String JSON = "application/json; charset=utf-8";

    /** An unavailable dependency of the server recovers either within seconds or not soon. */
    private static final String RETRY_AFTER_SECONDS = "1";

    private static final String RETRY_AFTER = "Retry-After";
    private static final String CACHE_CONTROL = "Cache-Control";
    private static final String NO_STORE = "no-store";

    public static ApiReply ok(JsonNode body) {
        return json(200, body);
    }

    public static ApiReply created(JsonNode body) {
        return json(201, body);
    }

    public static ApiReply empty() {
        return new ApiReply(204, null, null);
    }

    public static ApiReply okEmpty() {
        return new ApiReply(200, null, null);
    }

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

    /** A response that may hold a long chain of steps. */
    public static ApiReply deep(int status, JsonNode body) {
        return new ApiReply(status, Buffer.buffer(DeepJson.bytes(body)), JSON);
    }

    public static ApiReply json(int status, JsonNode body) {
        return new ApiReply(status, Buffer.buffer(Json.bytes(body)), JSON);
    }

    public static ApiReply text(int status, Buffer json) {
        return new ApiReply(status, json, JSON);
    }

    public static ApiReply of(int status, String contentType, String text) {
        return new ApiReply(status, Buffer.buffer(text), contentType);
    }

    /** Sends the response, unless the caller has disconnected. */
    public void sendTo(RoutingContext context) {
        var response = context.response();
        if (response.ended() || response.closed()) {
            return;
        }
        response.setStatusCode(status);
        if (status == ErrorCode.UNAVAILABLE.status()
                || status == ErrorCode.TOO_MANY_REQUESTS.status()
                        && !response.headers().contains(RETRY_AFTER)) {
            response.putHeader(RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        response.putHeader("X-Content-Type-Options", "nosniff");
        // Any answer may carry a credential or personal data: a cacheable route sets the header itself.
        if (!response.headers().contains(CACHE_CONTROL)) {
            response.putHeader(CACHE_CONTROL, NO_STORE);
        }
        if (NO_STORE.equals(response.headers().get(CACHE_CONTROL))) {
            response.putHeader("Pragma", "no-cache");
        }
        if (body == null) {
            response.end();
            return;
        }
        response.putHeader("Content-Type", contentType).end(body);
    }
}
