package io.millrace.engine.run.journal;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.OwnedRun;
import io.millrace.engine.run.Pauses;
import io.millrace.engine.run.RunClock;
import io.millrace.engine.run.RunSnapshot;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.RunWriter;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.log.AnswerText;
import io.millrace.engine.run.machine.LiveStatus;
import io.millrace.engine.run.machine.RunState;
import io.millrace.engine.run.machine.StepPath;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.piece.HttpAnswer;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes of one run to the database. Every write returns whether it took effect: false means that another owner has the
 * run. Writes may refer to outputs that are stored apart, so those are made durable first.
 */
public final class RunCommits {
    private final RunWriter writer;
    private final RunClock clock;
    private final CompiledFlow flow;
    private final RunJournal journal;
    private final RunSlices slices;
    private final JsonNode payload;
    private final long payloadBytes;
    private final long fence;
    private final boolean keyed;
    private RunWrite.RunHeader header;
    private Set<String> tags = Set.of();
    private Buffer answer;
    private OpenWaitpoint waiting;
    private OwnedRun next;

    /** Current waitpoint of the run, or its next one as soon as that is durable. */
    private record OpenWaitpoint(String path, String waitpointId) {}

    public RunCommits(
            RunWriter writer,
            RunClock clock,
            CompiledFlow flow,
            RunJournal journal,
            RunSlices slices,
            RunSnapshot run,
            long payloadBytes) {
        this.writer = writer;
        this.clock = clock;
        this.flow = flow;
        this.journal = journal;
        this.slices = slices;
        this.header = run.header();
        this.payload = run.payload();
        this.payloadBytes = payloadBytes;
        this.fence = run.fence();
        this.keyed = run.flags().keyed();
        run.tags().forEach(this::tag);
    }

    public RunWrite.RunHeader header() {
        return header;
    }

    public long fence() {
        return fence;
    }

    /** The answer is stored with the next write, for repeated starts. */
    public void answer(HttpAnswer given) {
        if (keyed) {
            answer = AnswerText.of(given);
        }
    }

    public boolean isToKeepAnswer() {
        return answer != null;
    }

    private Buffer takeAnswer() {
        var taken = answer;
        answer = null;
        return taken;
    }

    List<String> tags() {
        return List.copyOf(tags);
    }

    /** Allocates the set on first use, because most runs have no tag. */
    public void tag(String name) {
        if (tags.isEmpty()) {
            tags = new LinkedHashSet<>();
        }
        tags.add(name);
    }

    public Future<Boolean> append() {
        return write(new RunWrite.Append(header.id(), fence, journal.takeUnsaved(), takeAnswer()));
    }

    public Future<Boolean> appendAs(LiveStatus status) {
        var shown = show(status);
        var appended = append();
        return Future.all(shown, appended).map(_ -> shown.result() && appended.result());
    }

    public Future<Boolean> show(LiveStatus status) {
        untilBegun(status);
        return writer.write(new RunWrite.Show(header.id(), fence, status, header.startTime()))
                .onSuccess(this::shown);
    }

    /** A run whose first owner has not begun it yet has no start time. */
    private void untilBegun(LiveStatus status) {
        if (RunStatus.of(status) == RunStatus.QUEUED && fence == 0) {
            header = header.startedAt(null);
        }
    }

    private void shown(boolean ours) {
        if (ours) {
            writer.tell(new Runs.Shown(header.id(), header.projectId()));
        }
    }

    public Future<Boolean> insert(LiveStatus status) {
        untilBegun(status);
        var results = journal.takeUnsaved();
        return writer.serialise(payload, payloadBytes)
                .compose(text -> write(new RunWrite.Insert(header, status, text, writer.nodeId(), tags(), results)))
                .onSuccess(this::shown);
    }

    public Future<Boolean> noteStep(String path) {
        return writer.noteStep(header.id(), fence, path);
    }

    /** The run no longer waits. Its row is updated with the next write: most runs end before there is another. */
    public void begin() {
        header = header.startTime() == null ? header.startedAt(clock.now()) : header;
    }

    /** Returns whether a take-over by another actor continues from the pause that is being written. */
    public boolean isPauseOf(RunSnapshot next) {
        return waiting != null
                && next.recorded().resume() != null
                && waiting.waitpointId().equals(next.recorded().resume().waitpointId());
    }

    public void waitAt(String path, String waitpointId) {
        waiting = new OpenWaitpoint(path, waitpointId);
    }

    /** Results, log, waitpoint and status in one commit. */
    public Future<Boolean> pause(LiveStatus status, int stepsCount) {
        var results = journal.takeUnsaved();
        return slices.kept()
                .compose(_ -> log())
                .compose(log -> writer.pause(new Pauses.Pause(
                        header.id(),
                        fence,
                        status,
                        header.startTime(),
                        new Pauses.Pause.WaitPlace(waiting.waitpointId(), waiting.path()),
                        stepsCount,
                        tags(),
                        new Pauses.Pause.PauseRecord(results, log, takeAnswer()))))
                .map(done -> {
                    next = done.next();
                    shown(done.held());
                    return done.held();
                });
    }

    /** The run when it continues at once because its waitpoint had been completed already; null when it waits. */
    public OwnedRun next() {
        return next;
    }

    /** @param first whether this is the first write of the run */
    public Future<Boolean> end(RunWrite.Ending ending, boolean first) {
        return write(
                first
                        ? new RunWrite.InsertEnded(header, ending)
                        : new RunWrite.End(header, fence, ending, takeAnswer()));
    }

    private Future<Boolean> write(RunWrite write) {
        return slices.isEmpty() ? writer.write(write) : slices.kept().compose(_ -> writer.write(write));
    }

    /** The log of a run that has ended. The output of a tested step is stored as its sample first, and announced. */
    public Future<Buffer> logOf(RunState.Ended end) {
        if (RunStatus.of(end.status()) == RunStatus.LOG_SIZE_EXCEEDED) {
            journal.dropOversizedOutput(
                    end.failedStep().orElse(StepPath.TRIGGER), end.message().orElse(""));
        }
        if (RunStatus.of(end.status()) == RunStatus.TIMEOUT) {
            end.failedStep().ifPresent(journal::putTimedOut);
        }
        return flow.test() == null
                ? writer.log(header.flow().flowVersionId(), journal.steps(), journal.bytes())
                : tested(RunStatus.of(end.status()) == RunStatus.SUCCEEDED).compose(_ -> log());
    }

    /** Announces that the test of a step begins, before any other notice of the step. */
    public void tellTestBegun() {
        writer.tell(new Runs.StepTestBegun(header.projectId(), header.id()));
    }

    private Future<Void> tested(boolean well) {
        var name = flow.step(0).name();
        var stepRecord = journal.recordOf(name);
        var kept = well
                ? writer.keepSample(flow.flowVersionId(), name, stepRecord)
                : Future.succeededFuture(Json.object());
        return kept.onSuccess(fileIds -> writer.tell(new Runs.StepTested(
                        header.projectId(), header.id(), stepRecord == null ? Json.object() : stepRecord, fileIds)))
                .mapEmpty();
    }

    private Future<Buffer> log() {
        return writer.serialise(journal.steps(), journal.bytes());
    }

    public RunWrite.Ending endingOf(RunState.Ended end, Buffer log) {
        return new RunWrite.Ending(
                end.status(), clock.clock().instant(), flow.failedStep(end), tags(), end.stepsCount(), log);
    }
}
