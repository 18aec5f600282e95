package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.SecretBox;
import io.millrace.engine.run.Waitpoints;
import io.vertx.core.Future;
import java.util.Optional;

public final class AgentRunService implements BusService {
    private static final String ENTITY = "agent_run";

    /** Starts of a project in a minute (contract agents 2.1). */
    private static final int STARTS_MAX = 60;

    private final Bus bus;
    private final Database database;
    private final String nodeId;
    private final AgentRunStore store;

    public AgentRunService(Bus bus, Database database, SecretBox box, String nodeId) {
        this.bus = bus;
        this.database = database;
        this.nodeId = nodeId;
        this.store = new AgentRunStore(box);
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(
                AgentRunRows.Admit.class,
                ask -> database.read(tx -> admit(tx, ask.projectId())).map(Nothing.DONE));
        bus.serve(AgentRunRows.Accept.class, this::accept);
        bus.serve(AgentRunRows.Claim.class, claim -> database.inTransaction(tx -> store.claim(tx, nodeId, claim)));
        bus.serve(AgentRunRows.Advance.class, advance -> database.read(tx -> store.advance(tx, advance)));
        bus.serve(
                AgentRunRows.Delivered.class,
                ask -> database.read(tx -> store.delivered(tx, ask.id(), ask.fence()))
                        .map(Nothing.DONE));
        bus.serve(AgentRunRows.Look.class, ask -> database.read(tx -> store.look(tx, ask.fences())));
        bus.serve(AgentRunRows.Cancel.class, this::cancel);
        bus.serve(AgentRunRows.Get.class, this::get);
        bus.serve(AgentRunRows.Trace.class, this::trace);
        bus.serve(
                AgentRunRows.ProjectOf.class,
                ask -> database.read(tx -> store.find(tx, ask.id()))
                        .map(found -> required(found, ask.id()).projectId()));
        bus.serve(AgentRunRows.Find.class, this::find);
        bus.serve(Waitpoints.SoFar.class, this::soFar);
    }

    private Future<String> accept(AgentRunRows.Accept ask) {
        return database.inTransaction(tx -> admit(tx, ask.run().projectId())
                        .compose(_ -> store.insert(tx, ask.run(), ask.work()))
                        .compose(inserted -> inserted.isPresent()
                                ? Future.succeededFuture(inserted)
                                : store.findOfWaitpoint(tx, ask.run().waitpointId())))
                .map(id -> required(id, ask.run().id()))
                .onSuccess(id -> bus.publish(new AgentRunRows.Accepted(id)));
    }

    private Future<Void> admit(Tx tx, String projectId) {
        return tx.exclusive("agent-runs/" + projectId)
                .compose(_ -> store.startedLately(tx, projectId))
                .compose(started -> started < STARTS_MAX
                        ? Future.succeededFuture()
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.VALIDATION,
                                "a project may start at most " + STARTS_MAX + " agent runs in a minute")));
    }

    private Future<Nothing> cancel(AgentRunRows.Cancel ask) {
        return database.read(tx -> store.cancel(tx, ask.projectId(), ask.id())).map(found -> {
            if (!found) {
                throw ApiException.notFound(ENTITY, ask.id());
            }
            bus.publish(new AgentRunRows.Cancelled(ask.id()));
            return Nothing.DONE;
        });
    }

    private Future<JsonNode> get(AgentRunRows.Get ask) {
        return database.read(tx -> store.whole(tx, ask.id())).map(found -> {
            var whole = required(found.filter(one -> isShown(one.run(), ask.ofProject())), ask.id());
            var run = whole.run();
            var json = run.toJson();
            json.put("userId", run.userId()).put("source", run.flowRunId() == null ? "AGENT" : "FLOW_STEP");
            json.put("activeRunId", run.result() == null ? run.id() : null);
            json.set("result", resultOf(whole));
            json.set(
                    "uiMessages",
                    AgentResult.messages(
                            whole.work().prompt().instruction(), whole.records().entries()));
            return json.putNull("summary").putNull("summarizedUpToIndex");
        });
    }

    private static ObjectNode resultOf(AgentRun.ClaimedRun whole) {
        var result = whole.run().result();
        return result == null
                ? AgentResult.soFar(
                        whole.work().prompt().instruction(), whole.records().entries())
                : result;
    }

    /** Intermediate result that a waiting step shows (contract agents 3.3). */
    private Future<Optional<JsonNode>> soFar(Waitpoints.SoFar ask) {
        return database.read(tx -> store.findOfWaitpoint(tx, ask.waitpointId())
                        .compose(id -> id.map(known -> store.whole(tx, known))
                                .orElse(Future.succeededFuture(Optional.empty()))))
                .map(found -> found.map(AgentRunService::resultOf));
    }

    /** Reads the row before the records: a record written after the read appears at the next look. */
    private Future<AgentRunRows.AgentRunTrace> trace(AgentRunRows.Trace ask) {
        return database.read(tx -> store.find(tx, ask.id()).compose(found -> {
            var run = required(found, ask.id());
            return store.entries(tx, run.id()).map(entries -> new AgentRunRows.AgentRunTrace(run, entries));
        }));
    }

    private static boolean isShown(AgentRun run, Optional<String> ofProject) {
        return ofProject.isEmpty() || run.agentId() != null && ofProject.get().equals(run.projectId());
    }

    private Future<Page<JsonNode>> find(AgentRunRows.Find ask) {
        return database.read((Tx tx) -> store.page(tx, ask)).map(page -> page.map(AgentRun::toJson));
    }

    private static <T> T required(Optional<T> found, String id) {
        return found.orElseThrow(() -> ApiException.notFound(ENTITY, id));
    }
}
