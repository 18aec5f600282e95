package io.millrace.engine.run.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.run.machine.PlanStep.ExecutableAction;
import io.millrace.engine.run.machine.RunEffect.Abandon;
import io.millrace.engine.run.machine.RunEffect.Commit;
import io.millrace.engine.run.machine.RunEffect.DiscardAttempt;
import io.millrace.engine.run.machine.RunEffect.EnterIteration;
import io.millrace.engine.run.machine.RunEffect.EvaluateBranches;
import io.millrace.engine.run.machine.RunEffect.Execute;
import io.millrace.engine.run.machine.RunEffect.Finish;
import io.millrace.engine.run.machine.RunEffect.MarkBegun;
import io.millrace.engine.run.machine.RunEffect.PassIterations;
import io.millrace.engine.run.machine.RunEffect.ResolveItems;
import io.millrace.engine.run.machine.RunEffect.ScheduleRetry;
import io.millrace.engine.run.machine.RunEffect.StartDeadline;
import io.millrace.engine.run.machine.RunEffect.StopDeadline;
import io.millrace.engine.run.machine.RunEvent.Answer;
import io.millrace.engine.run.machine.RunEvent.Begun;
import io.millrace.engine.run.machine.RunEvent.RetryDue;
import io.millrace.engine.run.machine.RunEvent.StepFailed;
import io.millrace.engine.run.machine.RunEvent.StepPaused;
import io.millrace.engine.run.machine.RunEvent.StepSucceeded;
import io.millrace.engine.run.machine.RunState.Ended;
import io.millrace.engine.run.machine.RunState.Paused;
import io.millrace.engine.run.machine.RunState.Queued;
import io.millrace.engine.run.machine.RunState.Running;
import io.millrace.engine.run.machine.Transition.Ignored;
import io.millrace.engine.run.machine.Transition.Moved;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A run and a minimal actor: performs effects in order, keeps a journal, can crash between two effects. Checks the
 * invariants after every event.
 */
final class RunScript {
    private final RunPlan plan;
    private final World world;
    private final long logBytesMax;
    private final Map<String, Answer> durable = new HashMap<>();
    private final Map<String, Answer> pending = new HashMap<>();
    private final Set<String> impurePending = new HashSet<>();
    private final Set<String> resumed = new HashSet<>();
    private final Set<String> pendingMarks = new HashSet<>();
    private final Set<String> durableMarks = new HashSet<>();
    private final Set<String> marksOfOthers = new HashSet<>();
    private final Map<String, Integer> executions = new HashMap<>();
    private final List<String> trace = new ArrayList<>();
    private final ArrayDeque<RunEvent> inbox = new ArrayDeque<>();
    private final List<RunEvent> delivered = new ArrayList<>();
    private RunState state;
    private boolean stored;
    private boolean deadlineRunning;
    private Optional<RetryDue> retryTimer = Optional.empty();
    private Optional<StepPath> waitpoint = Optional.empty();
    private Optional<Ended> finished = Optional.empty();
    private long waitedMs;
    private long effectsPerformed;
    private final ArrayDeque<Long> crashes = new ArrayDeque<>();

    RunScript(RunPlan plan, long logBytesMax, boolean stored, World world) {
        this.plan = plan;
        this.world = world;
        this.logBytesMax = logBytesMax;
        this.stored = stored;
        this.state = new Queued(LogBudget.of(logBytesMax), stored);
    }

    static RunScript of(RunPlan plan, World world) {
        return new RunScript(plan, Long.MAX_VALUE / 2, true, world);
    }

    /** The process dies before the effects of these numbers, ascending, counted from 1 over the whole run. */
    RunScript crashingAt(List<Long> effects) {
        crashes.addAll(effects);
        return this;
    }

    /** Starts the run, and executes it until it has ended or waits for a waitpoint. */
    RunScript begin() {
        deliver(new Begun(5));
        return drain();
    }

    /** Starts the run, and completes each waitpoint as soon as it is awaited. */
    RunScript toTheEnd() {
        begin();
        while (waitpoint.isPresent()) {
            completeWaitpoint();
        }
        return this;
    }

    RunScript completeWaitpoint() {
        var path = waitpoint.orElseThrow();
        resumed.add(path.text(plan));
        waitpoint = Optional.empty();
        state = new Queued(LogBudget.of(logBytesMax), true);
        deliver(new Begun(5));
        return drain();
    }

    /** Another run with this one's journal, without the failed step: a retry from the failed step (contract 5.6). */
    RunScript retriedFromFailedStep(World next) {
        var again = new RunScript(plan, logBytesMax, true, next);
        durable.forEach((path, answer) -> {
            if (!(answer instanceof StepFailed)) {
                again.durable.put(path, answer);
            }
        });
        return again;
    }

    /** Processes one event and its effects; the results wait in the inbox. */
    Transition deliver(RunEvent event) {
        var before = state;
        delivered.add(event);
        var transition = RunMachine.on(plan, state, event);
        switch (transition) {
            case Ignored _ -> assertThat(state).isSameAs(before);
            case Moved moved -> perform(moved);
        }
        checkInvariants();
        return transition;
    }

    /** Delivers one event of the inbox, or fires the retry timer; false when neither exists. */
    boolean step() {
        if (inbox.isEmpty() && retryTimer.isPresent()) {
            inbox.add(retryTimer.get());
            retryTimer = Optional.empty();
        }
        if (inbox.isEmpty()) {
            return false;
        }
        deliver(inbox.remove());
        return true;
    }

    RunScript drain() {
        while (step()) {
            assertThat(trace.size()).as("effects of one run").isLessThan(1_000_000);
        }
        return this;
    }

    private void perform(Moved moved) {
        state = moved.state();
        assertThat(moved.effects().size()).as("effects of one transition").isLessThanOrEqualTo(4);
        for (var effect : moved.effects()) {
            if (stored && !crashes.isEmpty() && effectsPerformed + 1 >= crashes.peek()) {
                crashes.remove();
                restart();
                return;
            }
            effectsPerformed++;
            assertThat(finished).as("nothing follows Finish").isEmpty();
            trace.add(EffectText.of(plan, effect));
            checkBarrier(effect);
            perform(effect);
        }
        if (state instanceof Paused paused) {
            assertThat(pending).as("pending at a pause").isEmpty();
            waitpoint = Optional.of(paused.at());
        }
    }

    /**
     * The run is durable before an impure step executes, and results of impure steps are durable before the next step.
     */
    private void checkBarrier(RunEffect effect) {
        switch (effect) {
            case Execute execute -> {
                checkNothingImpurePending(effect);
                assertThat(stored || isPure(execute.path()))
                        .as("run durable before %s", effect)
                        .isTrue();
            }
            case ResolveItems _, EvaluateBranches _, EnterIteration _, PassIterations _ ->
                checkNothingImpurePending(effect);
            case Commit _,
                    StartDeadline _,
                    StopDeadline _,
                    MarkBegun _,
                    DiscardAttempt _,
                    ScheduleRetry _,
                    Abandon _,
                    Finish _ -> {}
        }
    }

    private void checkNothingImpurePending(RunEffect effect) {
        assertThat(impurePending).as("not durable before %s", effect).isEmpty();
    }

    private boolean isPure(StepPath path) {
        return !(plan.step(path.step()) instanceof ExecutableAction act) || !act.reachesOutside();
    }

    /** The process ends and loses everything that was not durable; another one recovers the run. */
    private void restart() {
        trace.add("(crash)");
        pending.clear();
        pendingMarks.clear();
        marksOfOthers.clear();
        marksOfOthers.addAll(durableMarks);
        impurePending.clear();
        inbox.clear();
        delivered.clear();
        deadlineRunning = false;
        retryTimer = Optional.empty();
        waitpoint = Optional.empty();
        durable.forEach((path, answer) -> {
            if (answer instanceof StepPaused) {
                resumed.add(path);
            }
        });
        state = new Queued(LogBudget.of(logBytesMax), true);
        inbox.add(new Begun(5));
    }

    private void perform(RunEffect effect) {
        switch (effect) {
            case Commit _ -> makeDurable();
            case StartDeadline _ -> {
                assertThat(deadlineRunning).as("deadline").isFalse();
                deadlineRunning = true;
            }
            case StopDeadline _ -> {
                assertThat(deadlineRunning).as("deadline").isTrue();
                deadlineRunning = false;
            }
            case MarkBegun(var path) -> pendingMarks.add(path.text(plan));
            case Execute(var path, var attempt) -> execute(path, attempt);
            case ResolveItems(var path) -> ask(path, 1);
            case EvaluateBranches(var path) -> ask(path, 1);
            case EnterIteration _, PassIterations _ -> {}
            case DiscardAttempt(var path) -> {
                assertThat(durable.get(path.text(plan)) instanceof StepFailed)
                        .as("a recorded failure is final")
                        .isFalse();
                pending.remove(path.text(plan));
                impurePending.remove(path.text(plan));
            }
            case ScheduleRetry(var path, var attempt, var delayMs) -> {
                retryTimer = Optional.of(new RetryDue(path, attempt));
                waitedMs += delayMs;
            }
            case Abandon _ -> {
                retryTimer = Optional.empty();
                waitpoint = Optional.empty();
                inbox.removeIf(Answer.class::isInstance);
            }
            case Finish(var end) -> {
                makeDurable();
                finished = Optional.of(end);
            }
        }
    }

    private void makeDurable() {
        durable.putAll(pending);
        durableMarks.removeAll(pending.keySet());
        durableMarks.addAll(pendingMarks);
        pendingMarks.clear();
        pending.clear();
        impurePending.clear();
        stored = true;
    }

    private void execute(StepPath path, int attempt) {
        var recorded = durable.get(path.text(plan));
        switch (recorded) {
            case StepSucceeded success -> inbox.add(new StepSucceeded(path, attempt, success.logBytes(), true));
            case StepFailed failure ->
                inbox.add(new StepFailed(path, attempt, failure.logBytes(), failure.message(), true));
            case null, default -> {
                if (marksOfOthers.contains(path.text(plan))) {
                    var failure = new StepFailed(path, attempt, 10, "at work at a crash", true);
                    pending.put(path.text(plan), failure);
                    inbox.add(failure);
                    return;
                }
                executions.merge(path.text(plan), 1, Integer::sum);
                ask(path, attempt);
            }
        }
    }

    private void ask(StepPath path, int attempt) {
        var text = path.text(plan);
        var answer = world.answer(new World.Ask(path, text, attempt, resumed.contains(text)));
        pending.put(text, answer);
        if (!isPure(path)) {
            impurePending.add(text);
        }
        inbox.add(answer);
    }

    private void checkInvariants() {
        if (state instanceof Running running) {
            var budget = running.progress().budget();
            assertThat(budget.logBytesUsed()).as("log bytes").isLessThanOrEqualTo(budget.logBytesMax());
        }
        if (state instanceof Ended ended) {
            assertThat(finished).as("an ended run is finished").contains(ended);
            assertThat(deadlineRunning).as("deadline left behind").isFalse();
            assertThat(retryTimer).as("retry timer left behind").isEmpty();
            assertThat(waitpoint).as("waitpoint left behind").isEmpty();
        }
    }

    RunState state() {
        return state;
    }

    Ended end() {
        return finished.orElseThrow(() -> new AssertionError("expected an ended run, but found " + state));
    }

    Optional<String> failedStep() {
        return end().failedStep().map(path -> path.text(plan));
    }

    /** Trace of the executed effects, in order. */
    List<String> trace() {
        return trace;
    }

    long effectsPerformed() {
        return effectsPerformed;
    }

    long waitedMs() {
        return waitedMs;
    }

    /** Events since the last start of the process. */
    List<RunEvent> delivered() {
        return delivered;
    }

    /** Number of executions of each step, by path. */
    Map<String, Integer> executions() {
        return executions;
    }

    Set<String> durablePaths() {
        return Set.copyOf(durable.keySet());
    }

    /** The durable records: path to the kind of the last result. */
    Map<String, String> records() {
        var kinds = new TreeMap<String, String>();
        durable.forEach((path, answer) -> kinds.put(path, answer.getClass().getSimpleName()));
        return kinds;
    }
}
