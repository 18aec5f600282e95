package io.millrace.base.otlp;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.trace.Span;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The wire form of spans and log lines (opentelemetry-proto 1, JSON). */
final class OtlpJson {
    private static final String SCOPE = "io.millrace";
    private static final int STATUS_ERROR = 2;

    private OtlpJson() {}

    static ObjectNode traces(Map<String, String> resource, List<Span> spans) {
        var request = Json.object();
        var list =
                scope(request.putArray("resourceSpans"), resource, "scopeSpans").putArray("spans");
        spans.forEach(span -> list.add(json(span)));
        return request;
    }

    static ObjectNode logs(Map<String, String> resource, List<ILoggingEvent> events) {
        var request = Json.object();
        var list =
                scope(request.putArray("resourceLogs"), resource, "scopeLogs").putArray("logRecords");
        events.forEach(event -> list.add(json(event)));
        return request;
    }

    private static ObjectNode scope(ArrayNode list, Map<String, String> resource, String scopes) {
        var whole = list.addObject();
        attributes(whole.putObject("resource").putArray("attributes"), new TreeMap<>(resource));
        var scope = whole.putArray(scopes).addObject();
        scope.putObject("scope").put("name", SCOPE);
        return scope;
    }

    private static ObjectNode json(Span span) {
        var json = Json.object()
                .put("traceId", span.context().traceId())
                .put("spanId", span.context().spanId());
        if (!span.parentSpanId().isEmpty()) {
            json.put("parentSpanId", span.parentSpanId());
        }
        json.put("name", span.name())
                .put("kind", span.kind().number())
                .put("startTimeUnixNano", nanos(span.start()))
                .put("endTimeUnixNano", nanos(span.end()));
        attributes(json.putArray("attributes"), new TreeMap<>(span.attributes()));
        if (!span.error().isEmpty()) {
            json.putObject("status").put("code", STATUS_ERROR).put("message", span.error());
        }
        return json;
    }

    private static ObjectNode json(ILoggingEvent event) {
        var time = String.valueOf(event.getTimeStamp() * 1_000_000);
        var json = Json.object()
                .put("timeUnixNano", time)
                .put("observedTimeUnixNano", time)
                .put("severityNumber", severity(event))
                .put("severityText", event.getLevel().levelStr);
        json.putObject("body").put("stringValue", event.getFormattedMessage());
        var attributes = new TreeMap<String, Object>();
        attributes.put("code.namespace", event.getLoggerName());
        attributes.put("thread.name", event.getThreadName());
        if (event.getKeyValuePairs() != null) {
            event.getKeyValuePairs().forEach(pair -> attributes.put(pair.key, String.valueOf(pair.value)));
        }
        if (event.getThrowableProxy() != null) {
            attributes.put("exception.type", event.getThrowableProxy().getClassName());
            attributes.put("exception.stacktrace", ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
        attributes(json.putArray("attributes"), attributes);
        return json;
    }

    /** The first number of each level's range. */
    private static int severity(ILoggingEvent event) {
        return switch (event.getLevel().levelStr) {
            case "TRACE" -> 1;
            case "DEBUG" -> 5;
            case "WARN" -> 13;
            case "ERROR" -> 17;
            default -> 9;
        };
    }

    /** Numbers of 64 bits are texts in the JSON of protocol buffers. */
    private static String nanos(Instant instant) {
        return String.valueOf(instant.getEpochSecond() * 1_000_000_000 + instant.getNano());
    }

    private static void attributes(ArrayNode list, Map<String, ?> attributes) {
        attributes.forEach((name, value) -> {
            var holder = list.addObject().put("key", name).putObject("value");
            switch (value) {
                case Boolean flag -> holder.put("boolValue", flag);
                case Number number -> holder.put("intValue", String.valueOf(number.longValue()));
                default -> holder.put("stringValue", String.valueOf(value));
            }
        });
    }
}
