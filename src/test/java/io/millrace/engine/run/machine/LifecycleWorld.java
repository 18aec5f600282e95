package io.millrace.engine.run.machine;

import static io.millrace.engine.run.machine.PlanTree.act;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.run.machine.LifecycleEffect.Departure;
import io.millrace.engine.run.machine.LifecycleEffect.Write;
import io.millrace.engine.run.machine.LifecycleEvent.AnswerGiven;
import io.millrace.engine.run.machine.LifecycleEvent.PermitGranted;
import io.millrace.engine.run.machine.LifecycleEvent.PermitQueued;
import io.millrace.engine.run.machine.LifecycleEvent.Prepared;
import io.millrace.engine.run.machine.LifecycleEvent.SaveBroken;
import io.millrace.engine.run.machine.LifecycleEvent.SaveFailed;
import io.millrace.engine.run.machine.LifecycleEvent.SaveRefused;
import io.millrace.engine.run.machine.LifecycleEvent.Saved;
import io.millrace.engine.run.machine.LifecycleEvent.ServiceLost;
import io.millrace.engine.run.machine.LifecycleEvent.SliceGranted;
import io.millrace.engine.run.machine.LifecycleEvent.WaitedUnseen;
import io.millrace.engine.run.machine.PlanStep.ActStep;
import io.millrace.engine.run.machine.RunEvent.Begun;
import io.millrace.engine.run.machine.RunEvent.CancelRequested;
import io.millrace.engine.run.machine.RunEvent.StepPaused;
import io.millrace.engine.run.machine.RunEvent.StepSucceeded;
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
 * A run's row, the nodes that carry the run, and a fate that lets them crash, freeze and lose writes at any effect. Another
 * node takes the run over with a higher fence; the earlier actor may go on and not know it.
 */
final class LifecycleWorld {
    private static final int TURNS_MAX = 2_000;
    private final Throwable lost = new IllegalStateException("the connection was lost");
    private final IllegalStateException theDefect = new IllegalStateException("a defect");

    private final Random random;
    private final RunPlan plan;
    private final boolean acceptanceWanted;
    private final List<Actor> actors = new ArrayList<>();
    private final List<Runnable> tasks = new ArrayList<>();
    private final Map<StepPath, Integer> executions = new HashMap<>();
    private final Set<StepPath> pausing = new HashSet<>();
    private final Set<StepPath> resumed = new HashSet<>();
    private final Set<Departure> departures = EnumSet.noneOf(Departure.class);
    private final Set<String> disturbed = new TreeSet<>();
    private long nanos;
    private int harmsLeft;
    private int harms;
    private int pauses;
    private boolean isLeaseLookedAt = true;
    private boolean accepted;

    private LiveStatus row;
    private long fence;
    private final Set<StepPath> records = new HashSet<>();
    private EndStatus end;

    /** @param harmsMax how often something goes wrong at most */
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
            if (step instanceof ActStep act && act.reachesOutside() && random.nextInt(5) == 0) {
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

    /** What is under way comes about in any order. */
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

    /** Whether the regular check finds a row that none of the actors carries on: one that is stuck is not found by it. */
    private boolean isOrphaned() {
        return row != null
                && row != LiveStatus.PAUSED
                && end == null
                && actors.stream().allMatch(Actor::isGone);
    }

    /** None is lost, none is stuck, and nothing is doubled that nothing disturbed. */
    void keptItsPromises() {
        if (accepted || row != null) {
            assertThat(end).as("the end of an accepted run").isNotNull();
        }
        executions.forEach((path, times) ->
                assertThat(times).as("executions of %s", path).isLessThanOrEqualTo(1 + harms + pauses));
    }

    private void begin() {
        var actor = new Actor();
        actors.add(actor);
        tasks.add(() -> actor.accept(new Prepared()));
    }

    /** Somebody else carries the run on, if it has a row. */
    private void takeOver() {
        if (row != null && row != LiveStatus.PAUSED && end == null) {
            fence++;
            begin();
        }
    }

    /** What the run waited for has come. */
    private void resume() {
        if (row == LiveStatus.PAUSED) {
            pauses++;
            resumed.addAll(pausing);
            row = LiveStatus.QUEUED;
            takeOver();
        }
    }

    private boolean isHarmed(LifecycleEffect effect) {
        if (harmsLeft == 0 || random.nextInt(12) > 0) {
            return false;
        }
        harmsLeft--;
        harms++;
        disturbed.add(effect.getClass().getSimpleName());
        return true;
    }

    /** One node's actor of the run: the real mailbox, with the parts around it made of nothing. */
    private final class Actor implements RunMailbox.Performer {
        private final long fence = LifecycleWorld.this.fence;
        private final Set<StepPath> known = new HashSet<>(records);
        private final Set<StepPath> unsaved = new HashSet<>();
        private final RunMailbox mailbox = new RunMailbox(
                plan, RunLife.made(Budget.of(1_000), row, acceptanceWanted && row == null, isSuspect(), fence), this);
        private boolean crashed;

        /** A run that has had another owner may be what ended it. */
        private boolean isSuspect() {
            return fence > 0 && random.nextInt(4) == 0;
        }

        void accept(LifecycleEvent event) {
            if (!crashed) {
                mailbox.accept(event);
            }
        }

        boolean isGone() {
            return crashed || mailbox.life().stage() instanceof RunLife.Stage.Left;
        }

        @Override
        public long term() {
            return isLeaseLookedAt ? LifecycleWorld.this.fence : fence;
        }

        /** Time leaps now and then, so that slices end anywhere. */
        @Override
        public long nanoTime() {
            nanos += random.nextInt(10) == 0 ? 10_000_000 : 0;
            return nanos;
        }

        @Override
        public boolean isToYield(StepPath next) {
            return !known.contains(next) && random.nextInt(40) == 0;
        }

        @Override
        public void later(Runnable action) {
            tasks.add(() -> {
                if (!crashed) {
                    action.run();
                }
            });
        }

        @Override
        public void ignored(LifecycleEvent event, String reason) {}

        @Override
        public void struck(Throwable defect) {
            assertThat(defect).isSameAs(theDefect);
        }

        @Override
        public void perform(RunLife life, List<? extends LifecycleEffect> effects) {
            for (var effect : effects) {
                if (crashed) {
                    return;
                }
                if (!(effect instanceof Write) && isHarmed(effect)) {
                    if (random.nextInt(4) == 0 && !life.isOver()) {
                        throw theDefect;
                    }
                    if (random.nextBoolean()) {
                        crashed = true;
                        takeOver();
                        return;
                    }
                    // The node stands still: another one takes the run over, and this actor goes on and has to find
                    // out.
                    tasks.add(LifecycleWorld.this::takeOver);
                }
                perform(effect);
            }
        }

        private void perform(LifecycleEffect effect) {
            switch (effect) {
                case Write write -> write(write);
                case LifecycleEffect.WatchUnseen _ -> tasks.add(() -> accept(new WaitedUnseen()));
                case LifecycleEffect.RequestPermit _ -> {
                    if (random.nextBoolean()) {
                        accept(new PermitGranted());
                    } else {
                        accept(new PermitQueued());
                        tasks.add(() -> accept(new PermitGranted()));
                    }
                }
                case LifecycleEffect.Begin _ -> accept(new Begun(1));
                case LifecycleEffect.Yield _ -> tasks.add(() -> accept(new SliceGranted()));
                case LifecycleEffect.TellCaller _ -> accepted = true;
                case LifecycleEffect.Leave leave -> left(leave);
                case RunEffect.Execute(var path, var attempt) -> execute(path, attempt);
                default -> {}
            }
        }

        private void execute(StepPath path, int attempt) {
            if (known.contains(path)) {
                accept(new StepSucceeded(path, attempt, 1, true));
                return;
            }
            if (((ActStep) plan.step(path.step())).reachesOutside()) {
                executesOutside(path);
            }
            if (pausing.contains(path) && !resumed.contains(path)) {
                tasks.add(() -> accept(new StepPaused(path, attempt, 1)));
            } else if (harmsLeft > 0 && random.nextInt(30) == 0) {
                harmsLeft--;
                harms++;
                tasks.add(() -> accept(new ServiceLost(lost)));
            } else if (random.nextInt(3) == 0) {
                recorded(path, attempt);
            } else {
                tasks.add(() -> recorded(path, attempt));
            }
        }

        private void recorded(StepPath path, int attempt) {
            unsaved.add(path);
            if (random.nextInt(8) == 0) {
                accept(new AnswerGiven());
            }
            accept(new StepSucceeded(path, attempt, 1, false));
        }

        /** The promises of one execution. */
        private void executesOutside(StepPath path) {
            executions.merge(path, 1, Integer::sum);
            assertThat(end).as("end of a run that executes %s", path).isNull();
            assertThat(row).as("row of a run that executes %s", path).isNotNull();
            assertThat(records).as("recorded, and executed again").doesNotContain(path);
            assertThat(fence).as("fence of who executes %s", path).isEqualTo(LifecycleWorld.this.fence);
            for (var step : plan.steps()) {
                var isBefore = step.name().compareTo(plan.step(path.step()).name()) < 0;
                if (isBefore && ((ActStep) step).reach() != StepReach.PURE) {
                    assertThat(records).as("durable before %s", path).contains(StepPath.of(step.index()));
                }
            }
        }

        private void write(Write write) {
            if (isHarmed(write)) {
                harm(write);
            } else {
                written(write);
            }
        }

        /** A write may be durable at once, and its answer may come long after it. */
        private void written(Write write) {
            if (random.nextInt(3) == 0) {
                answered(applied(write));
                return;
            }
            tasks.add(() -> {
                if (!crashed) {
                    var isOurs = applied(write);
                    tasks.add(() -> answered(isOurs));
                }
            });
        }

        private void answered(boolean isOurs) {
            accept(isOurs ? new Saved() : new SaveRefused());
        }

        /** The write is lost before or after it took effect, or its node is. */
        private void harm(Write write) {
            switch (random.nextInt(5)) {
                case 0 -> {
                    crashed = true;
                    takeOver();
                }
                case 1 -> {
                    crashed = true;
                    applied(write);
                    takeOver();
                }
                case 2 -> tasks.add(() -> accept(new SaveFailed(lost)));
                case 3 -> {
                    applied(write);
                    tasks.add(() -> accept(new SaveFailed(lost)));
                }
                default -> accept(new SaveBroken(lost));
            }
        }

        /** As the database does it: what has another owner, or has ended, is left as it is. */
        private boolean applied(Write write) {
            var isFirst = write instanceof LifecycleEffect.Insert
                    || write instanceof LifecycleEffect.WriteEnd(var _, var first) && first;
            if (end != null || (isFirst ? row != null : row == null || fence != LifecycleWorld.this.fence)) {
                return false;
            }
            switch (write) {
                case LifecycleEffect.Insert(var status) -> row = status;
                case LifecycleEffect.AppendAs(var status) -> row = status;
                case LifecycleEffect.Show(var status) -> row = status;
                case LifecycleEffect.WritePause(var status, var _) -> {
                    row = status;
                    tasks.add(LifecycleWorld.this::resume);
                }
                case LifecycleEffect.WriteEnd(var ended, var _) -> end = ended.status();
                case LifecycleEffect.Append _, LifecycleEffect.NoteStep _ -> {}
            }
            if (!(write instanceof LifecycleEffect.Show)) {
                records.addAll(unsaved);
            }
            return true;
        }

        private void left(LifecycleEffect.Leave leave) {
            departures.add(leave.departure());
            switch (leave.departure()) {
                case PAUSED ->
                    assertThat(row).as("row of a run that was paused").isNotNull();
                case YIELDED, LOST -> tasks.add(this::carryOn);
                case ENDED -> assertThat(end).as("the end that was told").isNotNull();
                case SUPERSEDED -> {}
            }
        }

        /** The run is given away, and somebody takes it over: unless somebody has it already. */
        private void carryOn() {
            if (fence == LifecycleWorld.this.fence) {
                takeOver();
            }
        }
    }
}
