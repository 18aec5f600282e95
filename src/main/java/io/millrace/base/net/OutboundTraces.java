package io.millrace.base.net;

import io.millrace.base.trace.Span;
import io.millrace.base.trace.TraceContext;
import io.millrace.base.trace.Tracer;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Spans of outbound calls. A caller that is part of a trace passes the header {@code traceparent}; the call becomes a child
 * span, and the header names that span. Calls without the header are part of no trace.
 */
final class OutboundTraces {
    static final OutboundTraces NONE = new OutboundTraces(Tracer.OFF, () -> Instant.EPOCH);

    private final Tracer tracer;
    private final InstantSource clock;

    OutboundTraces(Tracer tracer, InstantSource clock) {
        this.tracer = tracer;
        this.clock = clock;
    }

    <T> Future<T> around(
            OutboundRequest request, ToIntFunction<T> statusOf, Function<OutboundRequest, Future<T>> exchange) {
        if (!tracer.isOn()) {
            return exchange.apply(request);
        }
        return Optional.ofNullable(request.headers().get(TraceContext.HEADER))
                .flatMap(TraceContext::parse)
                .map(parent -> traced(request, parent, statusOf, exchange))
                .orElseGet(() -> exchange.apply(request));
    }

    private <T> Future<T> traced(
            OutboundRequest request,
            TraceContext parent,
            ToIntFunction<T> statusOf,
            Function<OutboundRequest, Future<T>> exchange) {
        var call = parent.freshChild();
        var start = clock.instant();
        return exchange.apply(request.withHeader(TraceContext.HEADER, call.traceparent()))
                .onComplete(done -> tracer.record(new Span(
                        call,
                        parent.spanId(),
                        request.method(),
                        Span.Kind.CLIENT,
                        start,
                        clock.instant(),
                        attributes(request, done, statusOf),
                        errorOf(done, statusOf))));
    }

    /** Host and port only: path and query may hold secrets. */
    private static <T> Map<String, Object> attributes(
            OutboundRequest request, AsyncResult<T> done, ToIntFunction<T> statusOf) {
        var attributes = new LinkedHashMap<String, Object>();
        attributes.put("http.request.method", request.method());
        attributes.put("server.address", request.address().host());
        attributes.put("server.port", request.address().port());
        if (done.succeeded()) {
            attributes.put("http.response.status_code", statusOf.applyAsInt(done.result()));
        }
        return attributes;
    }

    private static <T> String errorOf(AsyncResult<T> done, ToIntFunction<T> statusOf) {
        if (done.failed()) {
            return done.cause() instanceof OutboundFailure failure
                    ? failure.kind().name()
                    : "FAILED";
        }
        var status = statusOf.applyAsInt(done.result());
        return status >= 400 ? String.valueOf(status) : "";
    }
}
