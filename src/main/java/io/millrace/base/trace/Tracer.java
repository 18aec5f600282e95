package io.millrace.base.trace;

import java.util.Optional;
import java.util.function.Consumer;

/** Assigns work to traces, and records spans. Costs nothing while it is off. */
public final class Tracer {
    public static final Tracer OFF = new Tracer(new Sampler(false, 0), _ -> {}, false);

    private final Sampler sampler;
    private final Consumer<Span> sink;
    private final boolean isOn;

    private Tracer(Sampler sampler, Consumer<Span> sink, boolean isOn) {
        this.sampler = sampler;
        this.sink = sink;
        this.isOn = isOn;
    }

    /** @param sink takes spans and never waits */
    public static Tracer to(Sampler sampler, Consumer<Span> sink) {
        return new Tracer(sampler, sink, true);
    }

    public boolean isOn() {
        return isOn;
    }

    public TraceContext begin(String subject, Optional<TraceContext> parent) {
        var root = TraceContext.rootOf(subject, false);
        var traceId = parent.map(TraceContext::traceId).orElse(root.traceId());
        return new TraceContext(traceId, root.spanId(), sampler.isSampled(traceId, parent));
    }

    public void record(Span span) {
        if (isOn && span.context().isSampled()) {
            sink.accept(span);
        }
    }
}
