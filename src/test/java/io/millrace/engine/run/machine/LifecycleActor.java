package io.millrace.engine.run.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.run.machine.LifecycleEffect.Write;
import io.millrace.engine.run.machine.LifecycleEvent.AnswerGiven;
import io.millrace.engine.run.machine.LifecycleEvent.PermitGranted;
import io.millrace.engine.run.machine.LifecycleEvent.PermitQueued;
import io.millrace.engine.run.machine.LifecycleEvent.SaveBroken;
import io.millrace.engine.run.machine.LifecycleEvent.SaveFailed;
import io.millrace.engine.run.machine.LifecycleEvent.SaveRefused;
import io.millrace.engine.run.machine.LifecycleEvent.Saved;
import io.millrace.engine.run.machine.LifecycleEvent.ServiceLost;
import io.millrace.engine.run.machine.LifecycleEvent.SliceGranted;
import io.millrace.engine.run.machine.LifecycleEvent.WaitedUnseen;
import io.millrace.engine.run.machine.PlanStep.ExecutableAction;
import io.millrace.engine.run.machine.RunEvent.Begun;
import io.millrace.engine.run.machine.RunEvent.StepPaused;
import io.millrace.engine.run.machine.RunEvent.StepSucceeded;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One node's actor of the run: the real mailbox, with the other parts stubbed. */
final class LifecycleActor implements RunMailbox.Performer {
    private final LifecycleWorld world;
    private final long fence;
    private final Set<StepPath> known;
    private final Set<StepPath> unsaved = new HashSet<>();
    private final RunMailbox mailbox;
    private boolean crashed;

    /** True once this actor knows the start time of the run. */
    private boolean begun;

    LifecycleActor(LifecycleWorld world) {
        this.world = world;
        this.fence = world.fence;
        this.known = new HashSet<>(world.records);
        this.begun = world.begun;
        var life = RunLife.made(
                LogBudget.of(1_000), world.row, world.acceptanceWanted && world.row == null, isSuspect(), fence);
        this.mailbox = new RunMailbox(world.plan, life, this);
    }

    /** A run that was taken over may have caused the end of its node. */
    private boolean isSuspect() {
        return fence > 0 && world.random.nextInt(4) == 0;
    }

    void accept(LifecycleEvent event) {
        if (!crashed) {
            mailbox.accept(event);
        }
    }

    boolean isGone() {
        return crashed || mailbox.life().stage() instanceof RunLife.Stage.Exited;
    }

    @Override
    public long term() {
        return world.isLeaseLookedAt ? world.fence : fence;
    }

    /** Time jumps occasionally, so that slices end anywhere. */
    @Override
    public long nanoTime() {
        world.nanos += world.random.nextInt(10) == 0 ? 10_000_000 : 0;
        return world.nanos;
    }

    @Override
    public boolean isToYield(StepPath next) {
        return !known.contains(next) && world.random.nextInt(40) == 0;
    }

    @Override
    public void later(Runnable action) {
        world.tasks.add(() -> {
            if (!crashed) {
                action.run();
            }
        });
    }

    @Override
    public void ignored(LifecycleEvent event, String reason) {}

    @Override
    public void struck(Throwable defect) {
        assertThat(defect).isSameAs(world.theDefect);
    }

    @Override
    public void perform(RunLife life, List<? extends LifecycleEffect> effects) {
        for (var effect : effects) {
            if (crashed) {
                return;
            }
            if (!(effect instanceof Write) && world.isHarmed(effect)) {
                if (world.random.nextInt(4) == 0 && !life.isOver()) {
                    throw world.theDefect;
                }
                if (world.random.nextBoolean()) {
                    crashed = true;
                    world.takeOver();
                    return;
                }
                // The node freezes: another one takes the run over, and this actor continues and has to detect
                // it.
                world.tasks.add(world::takeOver);
            }
            perform(effect);
        }
    }

    private void perform(LifecycleEffect effect) {
        switch (effect) {
            case Write write -> write(write);
            case LifecycleEffect.WatchUnseen _ -> world.tasks.add(() -> accept(new WaitedUnseen()));
            case LifecycleEffect.RequestPermit _ -> {
                if (world.random.nextBoolean()) {
                    accept(new PermitGranted());
                } else {
                    accept(new PermitQueued());
                    world.tasks.add(() -> accept(new PermitGranted()));
                }
            }
            case LifecycleEffect.Begin _ -> {
                begun = true;
                accept(new Begun(1));
            }
            case LifecycleEffect.Yield _ -> world.tasks.add(() -> accept(new SliceGranted()));
            case LifecycleEffect.TellCaller _ -> world.accepted = true;
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
        if (((ExecutableAction) world.plan.step(path.step())).reachesOutside()) {
            executesOutside(path);
        }
        if (world.pausing.contains(path) && !world.resumed.contains(path)) {
            paused(path, attempt);
        } else if (world.harmsLeft > 0 && world.random.nextInt(30) == 0) {
            world.harmsLeft--;
            world.harms++;
            world.tasks.add(() -> accept(new ServiceLost(world.lost)));
        } else if (world.random.nextInt(3) == 0) {
            recorded(path, attempt);
        } else {
            world.tasks.add(() -> recorded(path, attempt));
        }
    }

    /** Another thread may be so quick that the run has not settled yet. */
    private void paused(StepPath path, int attempt) {
        if (world.random.nextInt(3) == 0) {
            accept(new StepPaused(path, attempt, 1));
        } else {
            world.tasks.add(() -> accept(new StepPaused(path, attempt, 1)));
        }
    }

    private void recorded(StepPath path, int attempt) {
        unsaved.add(path);
        if (world.random.nextInt(8) == 0) {
            accept(new AnswerGiven());
        }
        accept(new StepSucceeded(path, attempt, 1, false));
    }

    /** Guarantees of one execution. */
    private void executesOutside(StepPath path) {
        world.executions.merge(path, 1, Integer::sum);
        assertThat(world.end).as("end of a run that executes %s", path).isNull();
        assertThat(world.row).as("row of a run that executes %s", path).isNotNull();
        assertThat(world.records).as("recorded, and executed again").doesNotContain(path);
        assertThat(fence).as("fence of the executing owner of %s", path).isEqualTo(world.fence);
        for (var step : world.plan.steps()) {
            var isBefore = step.name().compareTo(world.plan.step(path.step()).name()) < 0;
            if (isBefore && ((ExecutableAction) step).reach() != StepReach.PURE) {
                assertThat(world.records).as("durable before %s", path).contains(StepPath.of(step.index()));
            }
        }
    }

    private void write(Write write) {
        if (world.isHarmed(write)) {
            harm(write);
        } else {
            written(write);
        }
    }

    /** A write may be durable immediately, and its acknowledgement may arrive much later. */
    private void written(Write write) {
        if (world.random.nextInt(3) == 0) {
            answered(applied(write));
            return;
        }
        world.tasks.add(() -> {
            if (!crashed) {
                var isOurs = applied(write);
                world.tasks.add(() -> answered(isOurs));
            }
        });
    }

    private void answered(boolean isOurs) {
        accept(isOurs ? new Saved() : new SaveRefused());
    }

    /** The write is lost before or after it took effect, or its node is. */
    private void harm(Write write) {
        switch (world.random.nextInt(5)) {
            case 0 -> {
                crashed = true;
                world.takeOver();
            }
            case 1 -> {
                crashed = true;
                applied(write);
                world.takeOver();
            }
            case 2 -> world.tasks.add(() -> accept(new SaveFailed(world.lost)));
            case 3 -> {
                applied(write);
                world.tasks.add(() -> accept(new SaveFailed(world.lost)));
            }
            default -> accept(new SaveBroken(world.lost));
        }
    }

    /** Like the database: rows of another owner, and ended ones, are left unchanged. */
    private boolean applied(Write write) {
        var isFirst = write instanceof LifecycleEffect.Insert
                || write instanceof LifecycleEffect.WriteEnd(var _, var first) && first;
        if (world.end != null || (isFirst ? world.row != null : world.row == null || fence != world.fence)) {
            return false;
        }
        switch (write) {
            case LifecycleEffect.Insert(var status) -> shown(status);
            case LifecycleEffect.AppendAs(var status) -> shown(status);
            case LifecycleEffect.Show(var status) -> shown(status);
            case LifecycleEffect.WritePause(var status, var _) -> {
                shown(status);
                world.tasks.add(world::resume);
            }
            case LifecycleEffect.WriteEnd(var ended, var _) -> world.end = ended.status();
            case LifecycleEffect.Append _, LifecycleEffect.NoteStep _ -> {}
        }
        if (!(write instanceof LifecycleEffect.Show)) {
            world.records.addAll(unsaved);
        }
        return true;
    }

    /** A run that its first owner has not begun has no start time. */
    private void shown(LiveStatus status) {
        if (status == LiveStatus.QUEUED && fence == 0) {
            begun = false;
        }
        world.row = status;
        world.begun = begun;
        world.checkRow();
    }

    private void left(LifecycleEffect.Leave leave) {
        world.departures.add(leave.departure());
        switch (leave.departure()) {
            case PAUSED ->
                assertThat(world.row).as("row of a run that was paused").isNotNull();
            case YIELDED, LOST -> world.tasks.add(this::carryOn);
            case ENDED -> assertThat(world.end).as("the reported end").isNotNull();
            case SUPERSEDED -> {}
        }
    }

    /** Another actor takes over the run after this one has released it, unless it was taken over already. */
    private void carryOn() {
        if (fence == world.fence) {
            world.takeOver();
        }
    }
}
