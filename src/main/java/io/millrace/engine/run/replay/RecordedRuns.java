package io.millrace.engine.run.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Database;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.RunQueries;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.log.LongTexts;
import io.millrace.engine.run.log.RecordText;
import io.millrace.engine.run.redecide.RunRecording;
import io.millrace.engine.run.store.LiveRunStore;
import io.millrace.engine.run.store.RunQueryStore;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;

final class RecordedRuns {
    private final LongTexts texts;
    private final Database database;
    private final RunQueryStore queries = new RunQueryStore();
    private final LiveRunStore lives = new LiveRunStore();

    RecordedRuns(LongTexts texts, Database database) {
        this.texts = texts;
        this.database = database;
    }

    Future<Run> find(String runId) {
        return database.read(tx -> queries.find(tx, runId))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("flow_run", runId)));
    }

    Future<Optional<Run>> newestSuccess(String projectId, String flowId) {
        var filter = new RunQueries.Filter(
                projectId,
                List.of(flowId),
                List.of(RunStatus.SUCCEEDED),
                List.of(),
                new RunQueries.Filter.RunIdSets(List.of(), List.of(), Optional.empty()),
                new RunQueries.Filter.CreationRange(Optional.empty(), Optional.empty()),
                new RunQueries.Filter.FailedStepFilter(Optional.empty(), Optional.empty()),
                false);
        return database.read(tx -> queries.page(tx, filter, new PageRequest(1, null, false)))
                .map(page -> page.data().stream().findFirst());
    }

    /** The log of an ended run, or of a paused one up to its pause. Fails for a run that is executing. */
    Future<RunRecording> recording(Run run) {
        if (run.status() == RunStatus.QUEUED || run.status() == RunStatus.RUNNING) {
            return Future.failedFuture(ApiException.of(
                    ErrorCode.VALIDATION,
                    "run " + run.id() + " is " + run.status() + ": expected a run that has ended or is paused"));
        }
        var log = run.status().isTerminal()
                ? database.read(tx -> queries.log(tx, run.id()))
                : database.read(tx -> lives.pausedLog(tx, run.id())).map(bytes -> bytes.map(Buffer::buffer));
        return log.compose(text -> read(run, text));
    }

    private Future<RunRecording> read(Run run, Optional<Buffer> log) {
        if (log.isEmpty()) {
            return Future.failedFuture(ApiException.of(
                    ErrorCode.RESUME_LOGS_FILE_MISSING, Json.object().put("runId", run.id())));
        }
        var text = log.get();
        return texts.read(text.length(), () -> (ObjectNode) RecordText.read(text.getBytes()))
                .map(steps -> new RunRecording(
                        run.status(), run.startTime() == null ? run.created() : run.startTime(), steps));
    }
}
