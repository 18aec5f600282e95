package io.millrace.engine.run.machine;

import static io.millrace.engine.run.machine.PlanTree.act;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.run.machine.LifecycleEffect.Departure;
import io.millrace.engine.run.machine.LifecycleEvent.Prepared;
import io.millrace.engine.run.machine.PlanStep.ExecutableAction;
import io.millrace.engine.run.machine.RunEvent.CancelRequested;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * A run's row, its nodes, and a random source that lets them crash, freeze and lose writes at any effect. Another node
 * takes over the run with a higher fence; the earlier actor may continue without knowing it.
 */
final class LifecycleWorld {
    private static final int TURNS_MAX = 2_000;
    final Throwable lost = new IllegalStateException("the connection was lost");
    final IllegalStateException theDefect = new IllegalStateException("a defect");

    final Random random;
    final RunPlan plan;
    final boolean acceptanceWanted;
    private final List<LifecycleActor> actors = new ArrayList<>();
    final List<Runnable> tasks = new ArrayList<>();
    final Map<StepPath, Integer> executions = new HashMap<>();
    final Set<StepPath> pausing = new HashSet<>();
    final Set<StepPath> resumed = new HashSet<>();
    final Set<Departure> departures = EnumSet.noneOf(Departure.class);
    private final Set<String> disturbed = new TreeSet<>();
    long nanos;
    int harmsLeft;
    int harms;
    private int pauses;
    boolean isLeaseLookedAt = true;
    boolean accepted;

    LiveStatus row;

    /** True once the row has the start time of the run. */
    boolean begun;

    long fence;
    final Set<StepPath> records = new HashSet<>();
    EndStatus end;

    /** @param harmsMax maximum number of injected faults */
    LifecycleWorld(Random random, int harmsMax) {
        this.random = random;
        this.harmsLeft = harmsMax;
        this.acceptanceWanted = random.nextBoolean();
        var nodes = new PlanTree.Node[1 + random.nextInt(4)];
        for (var i = 0; i < nodes.length; i++) {
            var step = act("step_" + i);
            nodes[i] = switch (random.nextInt(3)) {
                case 0 -> step.asPure();
                case 1 -> step.asIsolated();
                default -> step;
            };
        }
        this.plan = PlanTree.plan(nodes);
        for (var step : plan.steps()) {
            if (step instanceof ExecutableAction act && act.reachesOutside() && random.nextInt(5) == 0) {
                pausing.add(StepPath.of(step.index()));
            }
        }
        begin();
    }

    LifecycleWorld withoutLookingAtTheLease() {
        isLeaseLookedAt = false;
        return this;
    }

    Set<Departure> departures() {
        return departures;
    }

    Set<String> disturbed() {
        return disturbed;
    }

    Optional<EndStatus> end() {
        return Optional.ofNullable(end);
    }

    int pauses() {
        return pauses;
    }

    int executionsMax() {
        return executions.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    /** Executes the pending tasks in random order until the run has ended. */
    void toTheEnd() {
        for (var turn = 0; !tasks.isEmpty() || isOrphaned(); turn++) {
            if (tasks.isEmpty()) {
                takeOver();
            }
            assertThat(turn).as("turns").isLessThan(TURNS_MAX);
            tasks.remove(random.nextInt(tasks.size())).run();
            if (random.nextInt(60) == 0) {
                actors.getLast().accept(new CancelRequested());
            }
        }
    }

    /** True if the recovery scan would find the row: no actor executes the run. The scan does not find a stuck run. */
    private boolean isOrphaned() {
        return row != null
                && row != LiveStatus.PAUSED
                && end == null
                && actors.stream().allMatch(LifecycleActor::isGone);
    }

    /** Asserts that no run is lost or stuck, and that nothing was repeated without a fault. */
    void keptItsPromises() {
        if (accepted || row != null) {
            assertThat(end).as("the end of an accepted run").isNotNull();
        }
        executions.forEach((path, times) ->
                assertThat(times).as("executions of %s", path).isLessThanOrEqualTo(1 + harms + pauses));
    }

    private void begin() {
        var actor = new LifecycleActor(this);
        actors.add(actor);
        tasks.add(() -> actor.accept(new Prepared()));
    }

    /** A row that has left the queue has a start time. */
    void checkRow() {
        assertThat(row == LiveStatus.QUEUED || begun)
                .as("a run that is %s has a time of its start", row)
                .isTrue();
    }

    /** A new owner takes over the run, if it has a row. */
    void takeOver() {
        if (row != null && row != LiveStatus.PAUSED && end == null) {
            fence++;
            begin();
        }
    }

    /** Resumes the paused run. */
    void resume() {
        if (row == LiveStatus.PAUSED) {
            pauses++;
            resumed.addAll(pausing);
            row = LiveStatus.QUEUED;
            takeOver();
        }
    }

    boolean isHarmed(LifecycleEffect effect) {
        if (harmsLeft == 0 || random.nextInt(12) > 0) {
            return false;
        }
        harmsLeft--;
        harms++;
        disturbed.add(effect.getClass().getSimpleName());
        return true;
    }
}
