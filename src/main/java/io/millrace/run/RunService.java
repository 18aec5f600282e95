package io.millrace.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.bus.Bus;
import io.millrace.bus.Nothing;
import io.millrace.core.ApiException;
import io.millrace.core.Page;
import io.millrace.persistence.Database;
import io.millrace.persistence.Desk;
import io.millrace.persistence.GroupCommit;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Set;

/** Reads and writes runs for everybody, in the persistence verticle. All hot writes go through one batching writer. */
public final class RunService implements Desk {
    static final String WRITER = "run.writer";
    static final String RELEASE = "run.release";

    private static final GroupCommit.Limits WRITER_LIMITS =
            new GroupCommit.Limits(1, 500, 8 << 20, 100_000, 512 << 20, 20_000);

    private final Database database;
    private final String nodeId;
    private final RunStore store = new RunStore();
    private final GroupCommit<RunWrite, Boolean> writer;

    public RunService(Vertx vertx, Database database, String nodeId) {
        this.database = database;
        this.nodeId = nodeId;
        this.writer = new GroupCommit<>(
                WRITER_LIMITS,
                RunWrite::bytes,
                this::flush,
                delayMs -> vertx.timer(delayMs).mapEmpty());
    }

    @Override
    public void open(Bus bus) {
        bus.serveDesk(WRITER, RunWrite.class, writer::submit);
        bus.serveDesk(RELEASE, RunRelease.class, this::release);
        bus.serve(Runs.Get.class, this::get);
        bus.serve(Runs.Find.class, this::find);
        bus.serve(Runs.ProjectOf.class, this::projectOf);
    }

    private Future<List<Boolean>> flush(List<RunWrite> writes) {
        return database.read(tx -> store.write(tx, RunBatch.of(writes)).compose(written -> {
            var doubtful = writes.stream()
                    .filter(write -> !(write instanceof RunWrite.Append))
                    .map(RunWrite::runId)
                    .filter(id -> !written.contains(id))
                    .toList();
            return doubtful.isEmpty()
                    ? Future.succeededFuture(results(writes, written))
                    : store.alreadyWritten(tx, doubtful, nodeId).map(before -> {
                        written.addAll(before);
                        return results(writes, written);
                    });
        }));
    }

    private static List<Boolean> results(List<RunWrite> writes, Set<String> written) {
        return writes.stream().map(write -> written.contains(write.runId())).toList();
    }

    private Future<Nothing> release(RunRelease run) {
        return database.read(tx -> store.release(tx, run.runId(), run.fence())).map(Nothing.DONE);
    }

    private Future<Page<Run>> find(Runs.Find find) {
        return database.read(tx -> store.page(tx, find.filter(), find.page()));
    }

    private Future<String> projectOf(Runs.ProjectOf ask) {
        return database.read(tx -> store.projectOf(tx, ask.runId()))
                .map(project -> project.orElseThrow(() -> ApiException.notFound("flow_run", ask.runId())));
    }

    private Future<ObjectNode> get(Runs.Get ask) {
        return database.read(tx -> store.find(tx, ask.runId()).compose(found -> {
            var run = found.orElseThrow(() -> ApiException.notFound("flow_run", ask.runId()));
            return run.status().isTerminal()
                    ? store.log(tx, run.id())
                            .map(log -> log.map(
                                            bytes -> (ObjectNode) run.toJson().set("steps", RecordText.read(bytes)))
                                    .orElseGet(run::toJson))
                    : store.live(tx, run.id())
                            .map(live -> live.map(left -> withRecordedSteps(run, left))
                                    .orElseGet(run::toJson));
        }));
    }

    /** A live run shows the results that have been recorded outside loops; the rest is seen when it has ended. */
    private static ObjectNode withRecordedSteps(Run run, LiveRun left) {
        var json = run.toJson();
        var steps = json.putObject("steps");
        left.records().forEach((path, record) -> {
            if (path.indexOf('.') < 0) {
                steps.set(path, record);
            }
        });
        return json;
    }
}
