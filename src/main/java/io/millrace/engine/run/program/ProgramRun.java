package io.millrace.engine.run.program;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunClock;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.program.PureProgram.Act;
import io.millrace.engine.run.program.PureProgram.Choose;
import io.millrace.engine.run.program.PureProgram.Compute;
import io.millrace.engine.run.program.PureProgram.ProgramStep;
import io.millrace.engine.run.step.PieceMeters;
import io.millrace.engine.run.step.RouterChoice;
import io.millrace.piece.HttpAnswer;
import io.millrace.sandbox.expression.value.ExpressionScope;
import io.millrace.sandbox.expression.value.Meter;
import io.millrace.sandbox.expression.value.StepView;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One walk of a program: evaluates its steps and writes the log. It changes nothing but the buffer of the log, so that a
 * walk that meets something unusual is dropped and the run starts in the general engine.
 */
final class ProgramRun implements ExpressionScope {
    private static final byte[] OUTPUT = ascii(",\"output\":");
    private static final byte[] DURATION = ascii(",\"duration\":");
    private static final byte[] TRIGGER_END = ascii(",\"duration\":0}");
    private static final byte[] BRANCHES_END = ascii("]}");
    private static final long NANOS_PER_MS = 1_000_000;

    /**
     * Units of expressions for a walk: some 2 ms of compiled code, after which the general engine yields to other runs. A bound on
     * time would end the first walks of a server, whose code is interpreted.
     */
    private static final long FUEL = 40_000;

    /** Bound on the time of all steps: what one step may take in the general engine. */
    private static final long TIME_NANOS_MAX = 100 * NANOS_PER_MS;

    private final PureProgram program;
    private final RunWrite.RunHeader header;
    private final RunClock clock;
    private final InputTruncation truncation;
    private final JsonBytes log;
    private final boolean isAwaited;
    private final long latest;
    private final Meter meter = new Meter(FUEL);
    private final StepView[] views;
    private final long[] nanos;
    private long now;
    private int stepsCount;
    private boolean stopped;
    private boolean unusual;
    private @Nullable HttpAnswer answer;

    ProgramRun(
            PureProgram program,
            RunWrite.RunHeader header,
            RunClock clock,
            InputTruncation truncation,
            JsonBytes log,
            boolean isAwaited) {
        this.program = program;
        this.header = header;
        this.clock = clock;
        this.truncation = truncation;
        this.log = log;
        this.isAwaited = isAwaited;
        this.now = System.nanoTime();
        this.latest = now + TIME_NANOS_MAX;
        this.views = new StepView[program.slots().size()];
        this.nanos = new long[views.length];
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Walks the program; returns whether the run has succeeded with nothing unusual. */
    boolean walk(JsonNode payload) {
        log.clear();
        program.head().writeTo(log);
        log.value(payload);
        log.raw(TRIGGER_END);
        views[0] = StepView.of(payload);
        try {
            walk(program.first());
        } catch (RuntimeException | StackOverflowError failed) {
            return false;
        }
        log.raw('}');
        return !unusual && !log.isIncomplete();
    }

    private void walk(@Nullable ProgramStep first) {
        for (var step = first; step != null && !isOver(); step = step.next()) {
            switch (step) {
                case Act act -> act(act);
                case Compute compute -> compute(compute);
                case Choose choose -> choose(choose);
            }
        }
    }

    private boolean isOver() {
        return stopped || unusual || log.isIncomplete();
    }

    private void act(Act act) {
        var begun = now;
        var input = act.work().input().resolve(this);
        var logged = truncation.shorten(input);
        var context = new ProgramContext(header, act.name());
        var called = System.nanoTime();
        var given = input instanceof ObjectNode object ? object : Json.object();
        var processor = act.work().processor();
        var props = processor.apply(given, context);
        if (!props.succeeded() || !processor.dropped(given, props.result()).isEmpty()) {
            unusual = true;
            return;
        }
        context.setProps(props.result());
        var result = act.work().action().run(context);
        if (!result.succeeded() || context.isRefused()) {
            unusual = true;
            return;
        }
        now = System.nanoTime();
        nanos[act.slot()] = Math.max(1, now - called);
        acted(act.slot(), act.head(), logged, result.result(), begun);
        answered(act, context);
        if (!isOver()) {
            walk(act.onSuccess());
        }
    }

    private void compute(Compute compute) {
        var begun = now;
        var input = compute.input().resolve(this);
        var logged = truncation.shorten(input);
        var output = compute.closure().call(input, meter);
        if (output.isEmpty()) {
            unusual = true;
            return;
        }
        now = System.nanoTime();
        acted(compute.slot(), compute.head(), logged, present(output.get()), begun);
        if (!isOver()) {
            walk(compute.onSuccess());
        }
    }

    /** Null for undefined. */
    private static @Nullable JsonNode present(JsonNode output) {
        return output.isMissingNode() ? null : output;
    }

    /** Writes the record of a step that ended just now. */
    private void acted(int slot, LogText head, JsonNode input, @Nullable JsonNode output, long begun) {
        head.writeTo(log);
        log.value(input);
        if (output != null) {
            log.raw(OUTPUT);
            log.value(output);
        }
        ended(begun);
        views[slot] = StepView.of(output);
        stepsCount++;
    }

    private void answered(Act act, ProgramContext context) {
        stopped = context.isStopped();
        if (context.answer() != null && act.answers()) {
            answer = answer == null ? context.answer() : answer;
            // The general engine answers before the next step.
            unusual |= isAwaited && !stopped;
        }
    }

    private void choose(Choose choose) {
        var begun = now;
        var choice = RouterChoice.of(choose.work(), this);
        now = System.nanoTime();
        choose.head().writeTo(log);
        var evaluation = choice.evaluation();
        for (var index = 0; index < evaluation.size(); index++) {
            if (index > 0) {
                log.raw(',');
            }
            var texts = choose.evaluations().get(index);
            (evaluation.get(index) ? texts.taken() : texts.passed()).writeTo(log);
        }
        log.raw(BRANCHES_END);
        ended(begun);
        views[choose.slot()] = StepView.of(choice.output());
        for (var index = 0; index < evaluation.size() && !isOver(); index++) {
            if (evaluation.get(index)) {
                walk(choose.branches().get(index));
                if (choose.firstMatchOnly()) {
                    return;
                }
            }
        }
    }

    private void ended(long begun) {
        log.raw(DURATION);
        log.number((now - begun) / NANOS_PER_MS);
        log.raw('}');
        unusual |= now > latest;
    }

    int stepsCount() {
        return stepsCount;
    }

    @Nullable
    HttpAnswer answer() {
        return answer;
    }

    byte[] log() {
        return log.copy();
    }

    /** Counts the calls of pieces, once the walk is kept. */
    void count(PieceMeters meters) {
        count(program.first(), meters);
    }

    private void count(@Nullable ProgramStep first, PieceMeters meters) {
        for (var step = first; step != null; step = step.next()) {
            switch (step) {
                case Act act -> {
                    if (nanos[act.slot()] > 0) {
                        meters.ended(act.work().pieceName(), nanos[act.slot()]);
                    }
                    count(act.onSuccess(), meters);
                }
                case Compute compute -> count(compute.onSuccess(), meters);
                case Choose choose -> {
                    for (var branch : choose.branches()) {
                        count(branch, meters);
                    }
                }
            }
        }
    }

    @Override
    public StepView step(String name) {
        var slot = program.slots().get(name);
        return slot == null ? null : views[slot];
    }

    @Override
    public JsonNode connection(String name) {
        throw new IllegalStateException("expected no connection in a program, found " + name);
    }

    @Override
    public JsonNode variable(String name) {
        throw new IllegalStateException("expected no variable in a program, found " + name);
    }

    /** One for the walk. */
    @Override
    public Meter meter() {
        return meter;
    }

    @Override
    public InstantSource clock() {
        return clock.clock();
    }

    @Override
    public RandomGenerator random() {
        return clock.random();
    }
}
