package io.millrace.engine.run.step;

import io.millrace.base.trace.Span;
import io.millrace.base.trace.TraceContext;
import io.millrace.base.trace.Tracer;
import io.millrace.engine.run.RunClock;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.plan.CompiledFlow.CompiledStep;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One run in its trace: a span for the run, one below it for each attempt of a step. The caller passes the parent span,
 * and the row keeps it while the run lives; a run without a parent begins a trace. So a run keeps its trace when
 * another node takes it over.
 */
public final class RunTrace {
    private static final RunTrace NONE = new RunTrace(Tracer.OFF, null, null, Optional.empty(), Optional.empty());

    private final Tracer tracer;
    private final RunClock clock;
    private final RunWrite.RunHeader header;
    private final Optional<TraceContext> caller;
    private final Optional<TraceContext> own;

    private RunTrace(
            Tracer tracer,
            RunClock clock,
            RunWrite.RunHeader header,
            Optional<TraceContext> caller,
            Optional<TraceContext> own) {
        this.tracer = tracer;
        this.clock = clock;
        this.header = header;
        this.caller = caller;
        this.own = own;
    }

    /** The trace of a run; a no-op without a recorded trace. */
    public static RunTrace of(Tracer tracer, RunClock clock, RunWrite.RunHeader header) {
        if (!tracer.isOn()) {
            return NONE;
        }
        var caller = Optional.ofNullable(header.origin().traceparent()).flatMap(TraceContext::parse);
        return new RunTrace(tracer, clock, header, caller, Optional.of(tracer.begin("run:" + header.id(), caller)));
    }

    boolean isOn() {
        return own.isPresent();
    }

    /**
     * Trace context of an attempt of a step.
     *
     * @param key unique key of this attempt
     */
    Optional<TraceContext> contextOf(String key) {
        return own.map(context -> context.childOf("step:" + key));
    }

    void ended(CompiledStep step, String key, int attempt, StepOutcome outcome, boolean isWaiting, long durationMs) {
        contextOf(key).ifPresent(context -> {
            var end = clock.now();
            var attributes = new LinkedHashMap<String, Object>(ofRun());
            attributes.put("millrace.step.name", step.name());
            attributes.put("millrace.step.type", step.type());
            attributes.put("millrace.step.attempt", attempt);
            attributes.put("millrace.step.waits", isWaiting);
            tracer.record(new Span(
                    context,
                    own.orElseThrow().spanId(),
                    step.name(),
                    Span.Kind.INTERNAL,
                    end.minus(Duration.ofMillis(durationMs)),
                    end,
                    attributes,
                    errorOf(outcome)));
        });
    }

    /** Names the kind of failure without its message, which may contain a part of a payload. */
    private static String errorOf(StepOutcome outcome) {
        return switch (outcome) {
            case StepOutcome.Succeeded _ -> "";
            case StepOutcome.Failed _ -> "FAILED";
            case StepOutcome.MemoryExceeded _ -> "MEMORY_LIMIT_EXCEEDED";
            case StepOutcome.TimedOut _ -> "TIMEOUT";
            case StepOutcome.ProcessLost _ -> "INTERNAL_ERROR";
        };
    }

    /** Context of the run in a recorded trace; empty when its trace is not recorded. */
    public Optional<TraceContext> recorded() {
        return own.filter(TraceContext::isSampled);
    }

    /** The run has ended, and that is durable. */
    public void ended(RunWrite.Ending ending) {
        own.ifPresent(context -> {
            var status = RunStatus.of(ending.status());
            var attributes = new LinkedHashMap<String, Object>(ofRun());
            attributes.put("millrace.run.status", status.name());
            attributes.put("millrace.run.steps", ending.stepsCount());
            tracer.record(new Span(
                    context,
                    caller.map(TraceContext::spanId).orElse(""),
                    "run",
                    Span.Kind.INTERNAL,
                    header.created(),
                    ending.finishTime(),
                    attributes,
                    status == RunStatus.SUCCEEDED ? "" : status.name()));
        });
    }

    private Map<String, Object> ofRun() {
        return Map.of("flowRun.id", header.id(), "flow.id", header.flow().flowId(), "project.id", header.projectId());
    }
}
