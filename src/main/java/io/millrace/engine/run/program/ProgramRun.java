package io.millrace.engine.run.program;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunClock;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.program.PureProgram.Act;
import io.millrace.engine.run.program.PureProgram.Choose;
import io.millrace.engine.run.program.PureProgram.Compute;
import io.millrace.engine.run.program.PureProgram.Heading;
import io.millrace.engine.run.program.PureProgram.ProgramStep;
import io.millrace.engine.run.program.PureProgram.Repeat;
import io.millrace.engine.run.step.PieceMeters;
import io.millrace.engine.run.step.RouterChoice;
import io.millrace.piece.HttpAnswer;
import io.millrace.sandbox.expression.value.ExpressionScope;
import io.millrace.sandbox.expression.value.Meter;
import io.millrace.sandbox.expression.value.StepView;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
    private static final byte[] INDEX = ascii(",\"output\":{\"index\":");
    private static final byte[] ITERATIONS = ascii(",\"iterations\":[");
    private static final byte[] FIRST_ITERATION = ascii("{");
    private static final byte[] NEXT_ITERATION = ascii(",{");
    private static final byte[] ITERATIONS_END = ascii("]");
    private static final byte[] ITEM = ascii(",\"item\":");
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
    private final List<PieceCall> calls = new ArrayList<>();

    /** True if the next record is the first of an iteration. */
    private boolean isFirst;

    private long now;
    private int stepsCount;
    private boolean stopped;
    private boolean unusual;
    private @Nullable HttpAnswer answer;

    private record PieceCall(String pieceName, long nanos) {}

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
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns whether the run has succeeded with nothing unusual. */
    boolean walk(JsonNode payload) {
        log.clear();
        program.head().writeTo(log, 0);
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
                case Repeat repeat -> repeat(repeat);
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
        var context = new ProgramContext(header, act.heading().name());
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
        calls.add(new PieceCall(act.work().pieceName(), Math.max(1, now - called)));
        acted(act.slot(), act.heading(), logged, result.result(), begun);
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
        acted(compute.slot(), compute.heading(), logged, present(output.get()), begun);
        if (!isOver()) {
            walk(compute.onSuccess());
        }
    }

    /** Null for undefined. */
    private static @Nullable JsonNode present(JsonNode output) {
        return output.isMissingNode() ? null : output;
    }

    private void acted(int slot, Heading heading, JsonNode input, @Nullable JsonNode output, long begun) {
        begin(heading);
        log.value(input);
        if (output != null) {
            log.raw(OUTPUT);
            log.value(output);
        }
        ended(begun);
        views[slot] = StepView.of(output);
        stepsCount++;
    }

    private void begin(Heading heading) {
        heading.text().writeTo(log, isFirst ? 1 : 0);
        isFirst = false;
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
        var evaluation = choice.evaluation();
        writeChoice(choose, evaluation, begun);
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

    private void writeChoice(Choose choose, List<Boolean> evaluation, long begun) {
        begin(choose.heading());
        choose.evaluated().writeTo(log, 0);
        for (var index = 0; index < evaluation.size(); index++) {
            if (index > 0) {
                log.raw(',');
            }
            var texts = choose.evaluations().get(index);
            (evaluation.get(index) ? texts.taken() : texts.passed()).writeTo(log, 0);
        }
        log.raw(BRANCHES_END);
        ended(begun);
    }

    /** Its steps read nothing of its record but the item and the index: the compiler has checked that. */
    private void repeat(Repeat repeat) {
        var begun = now;
        if (!(repeat.items().resolve(this) instanceof ArrayNode items)) {
            unusual = true;
            return;
        }
        begin(repeat.heading());
        log.value(truncation.shorten(Json.object().set("items", items)));
        log.raw(INDEX);
        log.number(items.size());
        log.raw(ITERATIONS);
        var output = Json.object().put("index", 0);
        views[repeat.slot()] = StepView.of(output);
        for (var index = 0; index < items.size() && !isOver(); index++) {
            meter.spend(1);
            output.set("item", items.get(index));
            output.put("index", index + 1);
            log.raw(index == 0 ? FIRST_ITERATION : NEXT_ITERATION);
            isFirst = true;
            walk(repeat.body());
            log.raw('}');
            Arrays.fill(views, repeat.firstSlot(), repeat.endSlot(), null);
        }
        isFirst = false;
        // The record of a loop that is stopped has the index of its last iteration.
        unusual |= stopped;
        log.raw(ITERATIONS_END);
        if (!items.isEmpty()) {
            log.raw(ITEM);
            log.value(items.get(items.size() - 1));
        }
        log.raw('}');
        now = System.nanoTime();
        ended(begun);
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
        calls.forEach(call -> meters.ended(call.pieceName(), call.nanos()));
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
