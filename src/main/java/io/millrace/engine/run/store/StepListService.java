package io.millrace.engine.run.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.run.RunQueries;
import io.millrace.engine.run.StepProgress;
import io.millrace.engine.run.log.LongTexts;
import io.millrace.engine.run.log.RecordText;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves {@link RunQueries.FindSteps} from the logs of runs, one log at a time. */
public final class StepListService implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(StepListService.class);
    private static final long STEPS_MAX = 1_000;
    private static final List<String> FIELDS = List.of("type", "status", "duration", "errorMessage");

    private final Database database;
    private final LongTexts texts;
    private final RunQueryStore queries = new RunQueryStore();
    private final LiveRunStore liveRuns = new LiveRunStore();

    public StepListService(Vertx vertx, Database database) {
        this.database = database;
        this.texts = new LongTexts(vertx);
    }

    @Override
    public void open(Bus bus) {
        bus.serve(RunQueries.FindSteps.class, this::find);
    }

    private Future<Map<String, List<StepProgress>>> find(RunQueries.FindSteps ask) {
        var found = new HashMap<String, List<StepProgress>>();
        Future<Void> done = Future.succeededFuture();
        for (var runId : ask.runIds()) {
            done = done.compose(_ -> steps(runId)).map(steps -> {
                if (!steps.isEmpty()) {
                    found.put(runId, steps);
                }
                return null;
            });
        }
        return done.map(_ -> Map.copyOf(found));
    }

    /** An unreadable log must not keep the events of other runs from their listeners. */
    private Future<List<StepProgress>> steps(String runId) {
        return database.read(tx -> log(tx, runId))
                .compose(log -> log.map(packed -> texts.read(packed.length(), () -> listed(packed)))
                        .orElse(Future.succeededFuture(List.of())))
                .recover(cause -> {
                    if (ApiException.isUnavailable(cause)) {
                        return Future.failedFuture(cause);
                    }
                    LOG.warn("cannot read the log of run {}: its steps are not reported", runId, cause);
                    return Future.succeededFuture(List.of());
                });
    }

    private Future<Optional<Buffer>> log(Tx tx, String runId) {
        return queries.log(tx, runId)
                .compose(log -> log.isPresent()
                        ? Future.succeededFuture(log)
                        : liveRuns.lastPause(tx, runId).map(pause -> pause.map(LiveRunStore.LastPause::log)));
    }

    private static List<StepProgress> listed(Buffer packed) {
        if (!(RecordText.read(packed.getBytes()) instanceof ObjectNode steps)) {
            return List.of();
        }
        return StepProgress.ofLog(steps, StepProgress.count(steps) - STEPS_MAX).stream()
                .map(step -> new StepProgress(step.number(), step.name(), step.levels(), summary(step.output())))
                .toList();
    }

    private static ObjectNode summary(JsonNode stepRecord) {
        var summary = Json.object();
        for (var field : FIELDS) {
            if (stepRecord.has(field)) {
                summary.set(field, stepRecord.get(field));
            }
        }
        return summary;
    }
}
