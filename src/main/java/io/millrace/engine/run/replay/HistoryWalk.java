package io.millrace.engine.run.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.engine.run.journal.LogDictionary;
import io.millrace.engine.run.log.RecordText;
import io.millrace.engine.run.redecide.Redecider;
import io.millrace.engine.run.redecide.RedecisionVerdict;
import io.millrace.engine.run.redecide.RunRecording;
import io.millrace.engine.run.redecide.StepChanges;
import io.millrace.engine.run.redecide.WalkRequest;
import io.millrace.engine.run.store.RunHistoryStore;
import io.millrace.engine.run.store.RunHistoryStore.PastRun;
import io.millrace.sandbox.isolation.BackgroundThread;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Walk over the history of a flow: reads a batch while the one before is decided on a worker thread. Memory is bounded by
 * two batches. The worker is free between batches, so concurrent requests take turns.
 */
final class HistoryWalk {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryWalk.class);
    private static final long DEADLINE_MS = 60_000;
    private static final int BATCH_RUNS = 500;
    private static final int BATCH_RUNS_BESIDE = 100;
    private static final long BATCH_BYTES_MAX = 4L << 20;

    /** A larger log is not read: unpacked it would take many times its size. */
    private static final long LOG_BYTES_MAX = 1L << 20;

    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");
    private static final Instant EARLIEST = Instant.EPOCH;

    private final Bus bus;
    private final WorkerExecutor worker;
    private final Redecider redecider;
    private final ReadVersions versions;
    private final HistoryQuery query;
    private final ReadVersions.ReadVersion target;
    private final String projectId;
    private final Runnable leave;
    private final DecisionTally tally = new DecisionTally();
    private final Map<String, StepChanges> changes = new HashMap<>();
    private final Map<String, Buffer> dictionaries = new HashMap<>();
    private final LiveTraffic traffic;
    private int received;
    private boolean closed;
    private volatile boolean canceled;

    HistoryWalk(
            Bus bus,
            WorkerExecutor worker,
            Redecider redecider,
            ReadVersions versions,
            HistoryQuery query,
            ReadVersions.ReadVersion target,
            String projectId,
            Runnable leave) {
        this.bus = bus;
        this.worker = worker;
        this.redecider = redecider;
        this.versions = versions;
        this.query = query;
        this.target = target;
        this.projectId = projectId;
        this.leave = leave;
        this.traffic = new LiveTraffic(bus);
    }

    /** Ends the walk before its next run. */
    void cancel() {
        canceled = true;
    }

    /**
     * Decides all runs of the query.
     *
     * @param progress receives the counts after each batch
     * @return the groups; fails when the history cannot be read
     */
    Future<ObjectNode> run(Consumer<ObjectNode> progress) {
        return read(new RunHistoryStore.Key(query.createdBefore().orElse(LATEST), ""), query.sample())
                .compose(first -> {
                    var done = Promise.<Void>promise();
                    decide(first, progress, done);
                    return done.future();
                })
                .map(_ -> tally.result(target.version().id()))
                .onComplete(_ -> close());
    }

    /** Repeated calls have no effect. */
    void close() {
        if (!closed) {
            closed = true;
            traffic.close();
            leave.run();
        }
    }

    private Future<List<PastRun>> readAfter(List<PastRun> batch) {
        var last = batch.getLast();
        return read(new RunHistoryStore.Key(last.created(), last.id()), query.sample() - received);
    }

    private Future<List<PastRun>> read(RunHistoryStore.Key before, int remaining) {
        return remaining <= 0 || canceled
                ? Future.succeededFuture(List.of())
                : bus.ask(
                        new HistoryService.Batch(new RunHistoryStore.Extent(
                                query.flowId(),
                                query.statuses(),
                                query.createdAfter().orElse(EARLIEST),
                                before,
                                Math.min(traffic.isRecent() ? BATCH_RUNS_BESIDE : BATCH_RUNS, remaining),
                                BATCH_BYTES_MAX,
                                LOG_BYTES_MAX)),
                        DEADLINE_MS);
    }

    /** A loop by callbacks: a chain of futures would be as deep as the history is long. */
    private void decide(List<PastRun> batch, Consumer<ObjectNode> progress, Promise<Void> done) {
        if (batch.isEmpty() || canceled) {
            done.complete();
            return;
        }
        received += batch.size();
        // While runs end on this node, reading waits for the decisions, so that live runs keep the other processors.
        var readsAhead = !traffic.isRecent();
        var following = readsAhead ? readAfter(batch) : null;
        prepared(batch)
                .compose(_ -> worker.executeBlocking(() -> decided(batch), true))
                .compose(counts -> {
                    progress.accept(counts);
                    return following == null ? readAfter(batch) : following;
                })
                .onSuccess(next -> decide(next, progress, done))
                .onFailure(done::fail);
    }

    private Future<Void> prepared(List<PastRun> batch) {
        var unknown = new ArrayList<String>();
        for (var run : batch) {
            if (!changes.containsKey(run.flowVersionId()) && !unknown.contains(run.flowVersionId())) {
                unknown.add(run.flowVersionId());
            }
        }
        if (unknown.isEmpty()) {
            return Future.succeededFuture();
        }
        var done = bus.ask(new HistoryService.DictionariesOf(unknown), DEADLINE_MS)
                .<Void>map(found -> {
                    dictionaries.putAll(found);
                    return null;
                });
        for (var versionId : unknown) {
            done = done.compose(_ -> changesSince(versionId)).map(found -> {
                changes.put(versionId, found);
                return null;
            });
        }
        return done;
    }

    /** Changes since a recorded version; of a deleted one nothing is known. */
    private Future<StepChanges> changesSince(String versionId) {
        return versions.read(versionId, projectId)
                .map(target::since)
                .recover(cause -> cause instanceof ApiException refused && refused.code() == ErrorCode.ENTITY_NOT_FOUND
                        ? Future.succeededFuture(StepChanges.ALL_NEW)
                        : Future.failedFuture(cause));
    }

    private ObjectNode decided(List<PastRun> batch) {
        BackgroundThread.lowerOwn();
        for (var run : batch) {
            if (canceled) {
                break;
            }
            tally.add(run, verdict(run));
            traffic.pauseAfter(tally.runs());
        }
        return tally.progress();
    }

    private RedecisionVerdict verdict(PastRun run) {
        if (run.log().isEmpty()) {
            return new RedecisionVerdict.NotRecomputable(
                    "run",
                    run.bytes() == 0
                            ? "its log has been removed"
                            : "its log is larger than " + LOG_BYTES_MAX + " bytes");
        }
        ObjectNode steps;
        try {
            steps = steps(run, run.log().get());
        } catch (RuntimeException unreadable) {
            LOG.warn("the log of run {} cannot be read: {}", run.id(), unreadable.getMessage());
            return new RedecisionVerdict.NotRecomputable("run", "its log cannot be read");
        }
        var recording = new RunRecording(run.status(), run.startTime().orElse(run.created()), steps);
        return redecider
                .redecide(recording, target.flow(), changes.get(run.flowVersionId()), WalkRequest.COMPARE)
                .verdict();
    }

    private ObjectNode steps(PastRun run, Buffer log) {
        var text = LogDictionary.unpacked(log, Optional.ofNullable(dictionaries.get(run.flowVersionId())));
        return (ObjectNode) RecordText.read(text.getBytes());
    }
}
