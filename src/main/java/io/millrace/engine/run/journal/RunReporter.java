package io.millrace.engine.run.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.RunClock;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.StepProgress;
import io.millrace.engine.run.machine.RunLife;
import io.millrace.engine.run.machine.StepPath;
import io.millrace.engine.run.plan.CompiledFlow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reports the progress of one run to its subscribers. Records are numbered in the order in which they are written,
 * which is also the order of a walk through the log: so missed records can be repeated for a subscriber that joins late
 * or reconnects, without a buffer.
 */
public final class RunReporter {
    /** Maximum number of records that are repeated; a subscriber that missed more reads the run. */
    private static final int TOLD_AGAIN_MAX = 1_000;

    private final RunProgressHub hub;
    private final RunClock clock;
    private final CompiledFlow flow;
    private final RunCommits commits;
    private RunLife life;
    /** The trigger's record exists from the beginning. */
    private long written = 1;
    /** The step that executes, without a record so far, or null. */
    private StepPath executing;

    public RunReporter(RunProgressHub hub, RunClock clock, CompiledFlow flow, RunCommits commits, RunLife life) {
        this.hub = hub;
        this.clock = clock;
        this.flow = flow;
        this.commits = commits;
        this.life = life;
    }

    public void stands(RunLife now) {
        life = now;
    }

    private boolean isWatched() {
        return hub.isWatched(commits.header().id());
    }

    public void changed(RunStatus status) {
        if (isWatched()) {
            tell(view(status), Optional.empty());
        }
    }

    /** The end of the run is durable. */
    public void ended(RunWrite.Ending ending) {
        if (isWatched()) {
            tell(commits.header().ended(ending), Optional.empty());
        }
    }

    public void triggered(ObjectNode steps) {
        if (isWatched()) {
            var name = flow.trigger().name();
            var step = new StepProgress(1, name, List.of(), steps.get(name));
            tell(view(RunStatus.RUNNING), Optional.of(step));
        }
    }

    public void started(StepPath path) {
        executing = path;
        if (isWatched()) {
            tell(view(RunStatus.RUNNING), Optional.of(startOf(path)));
        }
    }

    private StepProgress startOf(StepPath path) {
        var step = flow.step(path.step());
        var output = Json.object().put("type", step.type()).put("status", "RUNNING");
        return new StepProgress(0, step.name(), levels(path), output);
    }

    public void progressed(StepPath path, JsonNode soFar) {
        if (isWatched()) {
            var step = flow.step(path.step());
            var output = Json.object().put("type", step.type()).put("status", "RUNNING");
            output.set("output", soFar);
            tell(view(RunStatus.RUNNING), Optional.of(new StepProgress(0, step.name(), levels(path), output)));
        }
    }

    public void wrote(StepPath path, ObjectNode stepRecord) {
        written++;
        executing = null;
        if (isWatched()) {
            var name = flow.step(path.step()).name();
            tell(
                    view(RunStatus.RUNNING),
                    Optional.of(new StepProgress(written, name, levels(path), StepProgress.shown(stepRecord))));
        }
    }

    /** A record of an earlier walk has been taken over: it was reported then. */
    public void restored() {
        written++;
    }

    /** The last record has been removed: the step is retried. */
    public void tookBack() {
        written--;
    }

    private Run view(RunStatus status) {
        return commits.header().seen(status, clock.now(), commits.tags(), life.stepsCount());
    }

    private void tell(Run view, Optional<StepProgress> step) {
        hub.tell(new Runs.Progressed(view, step, false));
    }

    private List<StepProgress.Level> levels(StepPath path) {
        var loops =
                path.depth() == 0 ? List.<String>of() : flow.step(path.step()).loops();
        var levels = new ArrayList<StepProgress.Level>(loops.size());
        for (var level = 0; level < loops.size(); level++) {
            levels.add(new StepProgress.Level(loops.get(level), path.iteration(level)));
        }
        return levels;
    }

    /** Repeats the records after a given one, the start of the executing step, and the status of the run. */
    public void tellAgain(RunStatus status, ObjectNode steps, long after) {
        var found = StepProgress.ofLog(steps, Math.max(after, written - TOLD_AGAIN_MAX));
        var view = view(status);
        if (executing != null) {
            found.add(startOf(executing));
        }
        found.forEach(step -> hub.tell(new Runs.Progressed(view, Optional.of(step), true)));
        hub.tell(new Runs.Progressed(view, Optional.empty(), true));
    }
}
