package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.trace.Span;
import io.millrace.base.trace.TraceContext;
import io.millrace.base.trace.Tracer;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Spans of calls of flows. Like any server in a trace, this one replaces the header that came by one that names its own span:
 * the run finds it in its payload, and is below it.
 */
final class WebhookTraces {
    private final Tracer tracer;
    private final InstantSource clock;

    WebhookTraces(Tracer tracer, InstantSource clock) {
        this.tracer = tracer;
        this.clock = clock;
    }

    /** @param start starts the run with the payload, whose headers are ours to change */
    <T> Future<T> around(Webhooks.Received call, String runId, ObjectNode payload, Supplier<Future<T>> start) {
        if (!tracer.isOn() || !(payload.get("headers") instanceof ObjectNode headers)) {
            return start.get();
        }
        var caller = TraceContext.parse(headers.path(TraceContext.HEADER).asText(""));
        var own = tracer.begin("webhook:" + runId, caller);
        headers.put(TraceContext.HEADER, own.traceparent());
        var begun = clock.instant();
        return start.get()
                .onComplete(done -> tracer.record(new Span(
                        own,
                        caller.map(TraceContext::spanId).orElse(""),
                        "webhook",
                        call.callId() == null ? Span.Kind.INTERNAL : Span.Kind.SERVER,
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
