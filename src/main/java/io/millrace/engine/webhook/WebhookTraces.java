package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.trace.Span;
import io.millrace.base.trace.TraceContext;
import io.millrace.base.trace.Tracer;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Function;

/**
 * Spans of calls of flows. Like any server in a trace, this one replaces the received header by one with its own span: a flow
 * that forwards its headers stays in the trace, and the run that it starts is a child of that span.
 */
final class WebhookTraces {
    private final Tracer tracer;
    private final InstantSource clock;

    WebhookTraces(Tracer tracer, InstantSource clock) {
        this.tracer = tracer;
        this.clock = clock;
    }

    /**
     * @param payload of the run; its headers are ours to change
     * @param start starts the run below the span that a header names; null while no traces are recorded
     */
    <T> Future<T> around(Webhooks.Received call, String runId, ObjectNode payload, Function<String, Future<T>> start) {
        if (!tracer.isOn() || !(payload.get("headers") instanceof ObjectNode headers)) {
            return start.apply(null);
        }
        var caller = TraceContext.parse(headers.path(TraceContext.HEADER).asText(""));
        var own = tracer.begin("webhook:" + runId, caller);
        headers.put(TraceContext.HEADER, own.traceparent());
        var begun = clock.instant();
        return start.apply(own.traceparent())
                .onComplete(done -> tracer.record(new Span(
                        own,
                        caller.map(TraceContext::spanId).orElse(""),
                        "webhook",
                        call.marks().callId() == null ? Span.Kind.INTERNAL : Span.Kind.SERVER,
                        begun,
                        clock.instant(),
                        Map.of(
                                "flow.id",
                                call.flowId(),
                                "flowRun.id",
                                runId,
                                "millrace.webhook.variant",
                                call.variant().name()),
                        done.succeeded() ? "" : "REFUSED")));
    }
}
