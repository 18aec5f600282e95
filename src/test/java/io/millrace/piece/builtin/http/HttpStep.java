package io.millrace.piece.builtin.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.piece.FakeStepContext;
import java.util.HashMap;

/** A step of a flow that sends one HTTP request. */
final class HttpStep extends FakeStepContext {
    static final String KEY = "run-1/step_1";

    private final ObjectNode props;

    private HttpStep(ObjectNode props) {
        super(props, new HashMap<>());
        this.props = props;
        remainingMs = 10_000;
    }

    /** A step with the properties every step has. */
    static HttpStep calling(String method, String url) {
        var props = Json.object().put("method", method).put("url", url).put("authType", "NONE");
        props.putObject("headers");
        props.putObject("queryParams");
        props.putObject("authFields");
        return new HttpStep(props);
    }

    HttpStep with(String name, String value) {
        props.put(name, value);
        return this;
    }

    HttpStep with(String name, boolean value) {
        props.put(name, value);
        return this;
    }

    HttpStep with(String name, JsonNode value) {
        props.set(name, value);
        return this;
    }

    /** Sets properties from JSON text with single quotes instead of double quotes. */
    HttpStep withJson(String name, String json) {
        return with(name, Json.trusted(json.replace('\'', '"')));
    }

    HttpStep withBody(String type, String json) {
        with("body_type", type);
        props.putObject("body").set("data", Json.trusted(json.replace('\'', '"')));
        return this;
    }

    HttpStep remaining(long ms) {
        remainingMs = ms;
        return this;
    }

    @Override
    public String idempotencyKey() {
        return KEY;
    }
}
