package io.millrace.support.outside;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.millrace.base.core.Json;
import io.millrace.support.Waiting;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * OpenTelemetry collector that accepts OTLP over HTTP as JSON and records it. It rejects requests that violate the
 * protocol's schema, down to unknown fields, with 400, so that tests notice.
 */
public final class Collector implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final List<JsonNode> spans = new CopyOnWriteArrayList<>();
    private final List<JsonNode> lines = new CopyOnWriteArrayList<>();
    private final List<JsonNode> resources = new CopyOnWriteArrayList<>();
    private final List<String> keys = new CopyOnWriteArrayList<>();
    private final List<String> refusals = new CopyOnWriteArrayList<>();
    private final AtomicInteger busyTimes = new AtomicInteger();
    private final HttpServer server;

    private Collector() {
        server = Waiting.await(
                vertx.createHttpServer().requestHandler(this::receive).listen(0, "127.0.0.1"));
    }

    public static Collector start() {
        return new Collector();
    }

    public String url() {
        return "http://127.0.0.1:" + server.actualPort();
    }

    /** Answers the next requests with a status for overload. */
    public void busy(int times) {
        busyTimes.set(times);
    }

    private void receive(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            if (busyTimes.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                request.response().setStatusCode(503).end();
                return;
            }
            keys.add(String.valueOf(request.getHeader("x-key")));
            try {
                take(request.path(), body.toString());
                request.response().putHeader("Content-Type", "application/json").end("{}");
            } catch (InvalidProtocolBufferException | IllegalArgumentException refused) {
                refusals.add(request.path() + " " + refused.getMessage() + ": " + body);
                request.response().setStatusCode(400).end();
            }
        });
    }

    private void take(String path, String text) throws InvalidProtocolBufferException {
        var json = Json.trusted(text);
        switch (path) {
            case "/v1/traces" -> {
                JsonFormat.parser().merge(text, ExportTraceServiceRequest.newBuilder());
                json.path("resourceSpans").forEach(part -> {
                    resources.add(part.path("resource"));
                    part.path("scopeSpans").forEach(scope -> scope.path("spans").forEach(spans::add));
                });
            }
            case "/v1/logs" -> {
                JsonFormat.parser().merge(text, ExportLogsServiceRequest.newBuilder());
                json.path("resourceLogs")
                        .forEach(part -> part.path("scopeLogs")
                                .forEach(scope -> scope.path("logRecords").forEach(lines::add)));
            }
            default -> throw new IllegalArgumentException("nothing is taken there");
        }
    }

    /** Every span so far. */
    public List<JsonNode> spans() {
        return List.copyOf(spans);
    }

    /** Waits for the spans of a trace until these names are among them, each as often as it is listed. */
    public List<JsonNode> spansOf(String traceId, String... names) {
        try {
            Waiting.until("spans " + List.of(names), () -> hasAll(spansOf(traceId), names));
        } catch (AssertionError late) {
            throw new AssertionError("found " + spansOf(traceId) + ", refused " + refusals, late);
        }
        return spansOf(traceId);
    }

    private static boolean hasAll(List<JsonNode> spans, String... names) {
        var found = new ArrayList<String>();
        spans.forEach(span -> found.add(span.path("name").asText()));
        return Stream.of(names).allMatch(found::remove);
    }

    private List<JsonNode> spansOf(String traceId) {
        var found = new ArrayList<>(spans);
        found.removeIf(span -> !span.path("traceId").asText().equals(traceId));
        return found;
    }

    /** Every log line so far. */
    public List<JsonNode> lines() {
        return List.copyOf(lines);
    }

    /** Resources of the received spans. */
    public List<JsonNode> resources() {
        return List.copyOf(resources);
    }

    /** The header {@code x-key} of each request. */
    public List<String> keys() {
        return List.copyOf(keys);
    }

    /** Requests that violated the protocol. */
    public List<String> refusals() {
        return List.copyOf(refusals);
    }

    /** Value of an attribute as text; empty if there is none. */
    public static String attribute(JsonNode item, String name) {
        for (var attribute : item.path("attributes")) {
            if (attribute.path("key").asText().equals(name)) {
                return attribute.path("value").elements().next().asText();
            }
        }
        return "";
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
    }
}
