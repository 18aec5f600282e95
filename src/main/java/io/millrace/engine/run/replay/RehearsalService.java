package io.millrace.engine.run.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.RunCommands;
import io.millrace.engine.run.log.LongTexts;
import io.millrace.engine.run.redecide.Redecider;
import io.millrace.engine.run.redecide.WalkExecutor;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.function.Supplier;

/** Dry runs of events: the calls of a version, answered by the newest run that succeeded. Nothing is executed or stored. */
public final class RehearsalService implements BusService {
    private static final long DEADLINE_MS = 30_000;

    private final WalkExecutor walks;
    private final Bus bus;
    private final InstantSource clock;
    private final Redecider redecider;
    private final RecordedRuns recorded;
    private final ReadVersions versions;

    public RehearsalService(
            Vertx vertx, Bus bus, Database database, InstantSource clock, RedecisionEngine engine, WalkExecutor walks) {
        this.walks = walks;
        this.bus = bus;
        this.clock = clock;
        this.redecider = engine.redecider();
        this.recorded = new RecordedRuns(new LongTexts(vertx), database);
        this.versions = new ReadVersions(bus, engine.compiler());
    }

    @Override
    public void open(Bus ignored) {
        bus.serve(RunCommands.Rehearse.class, this::rehearse);
        bus.serve(RunCommands.RehearseWebhook.class, this::rehearse);
    }

    private Future<ObjectNode> rehearse(RunCommands.Rehearse ask) {
        return version(ask.projectId(), ask.flowId(), false).compose(version -> effects(version, ask.payload()));
    }

    private Future<ObjectNode> rehearse(RunCommands.RehearseWebhook ask) {
        return version(ask.projectId(), ask.flowId(), ask.isDraft()).compose(version -> {
            if (!version.flow().trigger().isWebhook()) {
                throw ApiException.of(
                        ErrorCode.VALIDATION,
                        "expected a Catch Webhook trigger in version "
                                + version.version().id()
                                + ": the output of another trigger is computed by its piece; send that output as"
                                + " payload to POST /v1/flow-runs?dryRun=true");
            }
            return effects(version, ask.event());
        });
    }

    private Future<ReadVersions.ReadVersion> version(String projectId, String flowId, boolean isDraft) {
        return bus.ask(new Flows.FindTarget(flowId), DEADLINE_MS).compose(target -> {
            if (!target.projectId().equals(projectId)) {
                throw ApiException.notFound("flow", flowId);
            }
            var chosen = isDraft
                    ? target.latest()
                    : target.published()
                            .orElseThrow(() ->
                                    ApiException.of(ErrorCode.VALIDATION, "the flow is not published and enabled"));
            return versions.read(chosen.id(), projectId);
        });
    }

    private Future<ObjectNode> effects(ReadVersions.ReadVersion version, JsonNode event) {
        var flow = version.version();
        return recorded.newestSuccess(version.flow().projectId(), flow.flowId())
                .compose(past -> past.isEmpty()
                        ? effects(version, () -> EventRehearsal.without(version, event, clock.instant()))
                        : after(version, past.get(), event));
    }

    private Future<ObjectNode> after(ReadVersions.ReadVersion version, Run past, JsonNode event) {
        return recorded.recording(past)
                .compose(recording -> versions.read(past.flowVersionId(), past.projectId())
                        .compose(original -> effects(
                                version,
                                () -> EventRehearsal.after(
                                        version,
                                        version.since(original),
                                        past.id(),
                                        recording,
                                        event,
                                        clock.instant()))));
    }

    private Future<ObjectNode> effects(ReadVersions.ReadVersion version, Supplier<EventRehearsal> rehearsal) {
        return walks.execute(
                version.flow().projectId(),
                WalkExecutor.Purpose.READING,
                () -> rehearsal.get().effects(redecider));
    }
}
