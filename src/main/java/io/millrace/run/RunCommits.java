package io.millrace.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.run.machine.EndStatus;
import io.millrace.run.machine.RunState;
import io.millrace.run.machine.StepPath;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What one run writes into the database. Every write says whether it took effect: false means that another owner has
 * the run. What is written may refer to outputs that are kept apart, so those are durable first.
 */
final class RunCommits {
    private final RunHost host;
    private final CompiledFlow flow;
    private final RunJournal journal;
    private final RunSlices slices;
    private final JsonNode payload;
    private RunWrite.Birth birth;
    private boolean stored;
    private final long fence;
    private Set<String> tags = Set.of();
    private Waiting waiting;
    private LiveRun next;

    /** What the run waits for, or will wait for as soon as that is durable. */
    private record Waiting(String path, String waitpointId) {}

    /**
     * @param stored whether the run has rows already
     * @param fence number of the ownership
     */
    RunCommits(
            RunHost host,
            CompiledFlow flow,
            RunJournal journal,
            RunSlices slices,
            RunWrite.Birth birth,
            JsonNode payload,
            boolean stored,
            long fence) {
        this.host = host;
        this.flow = flow;
        this.journal = journal;
        this.slices = slices;
        this.birth = birth;
        this.payload = payload;
        this.stored = stored;
        this.fence = fence;
    }

    RunWrite.Birth birth() {
        return birth;
    }

    /** Number that says which ownership of the run this is; a later one shuts it out. */
    long fence() {
        return fence;
    }

    boolean isStored() {
        return stored;
    }

    List<String> tags() {
        return List.copyOf(tags);
    }

    /** Most runs have no tag, and need no set of them. */
    void tag(String name) {
        if (tags.isEmpty()) {
            tags = new LinkedHashSet<>();
        }
        tags.add(name);
    }

    /** Results since the last commit; the run itself when this is the first. */
    Future<Boolean> save() {
        return stored
                ? write(new RunWrite.Append(birth.id(), fence, journal.takeUnsaved()))
                : insert(RunStatus.RUNNING);
    }

    /** The run waits in line. */
    Future<Boolean> queue() {
        if (stored) {
            return host.write(new RunWrite.Show(birth.id(), fence, RunStatus.QUEUED, birth.startTime()));
        }
        birth = birth.startedAt(null);
        return insert(RunStatus.QUEUED);
    }

    private Future<Boolean> insert(RunStatus status) {
        var insert = new RunWrite.Insert(
                birth, status, RecordText.of(payload), host.nodeId(), tags(), journal.takeUnsaved());
        return write(insert).map(saved -> {
            stored = true;
            return saved;
        });
    }

    /** A run whose row may say that it waits is seen as RUNNING. */
    Future<Boolean> run() {
        birth = birth.startTime() == null ? birth.startedAt(host.now()) : birth;
        return host.write(new RunWrite.Show(birth.id(), fence, RunStatus.RUNNING, birth.startTime()));
    }

    /** Whether the run, as another actor takes it over, goes on from the pause that is written here. */
    boolean isPauseOf(LiveRun next) {
        return waiting != null
                && next.resume() != null
                && waiting.waitpointId().equals(next.resume().waitpointId());
    }

    /** The step at the path waits. */
    void waitAt(String path, String waitpointId) {
        waiting = new Waiting(path, waitpointId);
    }

    /** Results, log, waitpoint and status in one commit. */
    Future<Boolean> pause(int stepsCount) {
        var results = journal.takeUnsaved();
        return slices.kept()
                .compose(_ -> log())
                .compose(log -> host.pause(new Pauses.Pause(
                        birth.id(), fence, waiting.waitpointId(), waiting.path(), stepsCount, tags(), results, log)))
                .map(done -> {
                    next = done.next();
                    return done.held();
                });
    }

    /** The run as it goes on at once, when what it paused for had happened already; null when it waits. */
    LiveRun next() {
        return next;
    }

    Future<Boolean> end(RunWrite.Ending ending) {
        return write(stored ? new RunWrite.End(birth, fence, ending) : new RunWrite.InsertEnded(birth, ending));
    }

    private Future<Boolean> write(RunWrite write) {
        return slices.isEmpty() ? host.write(write) : slices.kept().compose(_ -> host.write(write));
    }

    /** The log of a run that has ended. What a tested step put out is kept as its sample first. */
    Future<Buffer> logOf(RunState.Ended end) {
        if (end.status() == EndStatus.LOG_SIZE_EXCEEDED) {
            journal.dropOversizedOutput(
                    end.failedStep().orElse(StepPath.TRIGGER), end.message().orElse(""));
        }
        return flow.test() != null && end.status() == EndStatus.SUCCEEDED
                ? keepSample().compose(_ -> log())
                : log();
    }

    private Future<Void> keepSample() {
        var tested = flow.step(0).name();
        return host.keepSample(flow.flowVersionId(), tested, journal.recordOf(tested));
    }

    /** JSON of everything done so far. */
    private Future<Buffer> log() {
        return host.serialise(journal.steps(), journal.bytes());
    }

    RunWrite.Ending endingOf(RunState.Ended end, Buffer log) {
        return new RunWrite.Ending(
                RunStatus.valueOf(end.status().name()),
                host.clock().instant(),
                FailedStep.of(flow, end),
                tags(),
                end.stepsCount(),
                log);
    }
}
