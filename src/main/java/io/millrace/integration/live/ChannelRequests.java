package io.millrace.integration.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.http.ErrorRenderer;
import io.millrace.base.http.socket.TextSocket;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.RunCommands;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.journal.RunProgressHub;
import io.millrace.engine.run.query.RunSubscription;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests of a member of the channel (contract flows-and-engine 31). An event that requests an acknowledgement receives one:
 * the run, the lock, or the error in the format of the API; where the contract does not define errors, an error of an event
 * without acknowledgement is sent as an event {@code ERROR}. Events with unknown names are ignored, as Socket.IO servers do.
 */
final class ChannelRequests {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelRequests.class);

    /** Maximum number of runs that one connection follows concurrently. */
    private static final int RUNS_MAX = 50;

    /** Maximum number of resources that one connection has joined. */
    private static final int RESOURCES_MAX = 100;

    private static final int RESOURCE_ID_LENGTH_MAX = 200;

    private final Bus bus;
    private final RunProgressHub watch;
    private final TextSocket socket;
    private final Admission admission;
    private final EditorPresence editor;
    private final Map<String, RunSubscription> followers = new HashMap<>();
    private final Map<String, TestedStep> tests = new HashMap<>();
    private final Set<String> locked = new HashSet<>();
    private final Set<String> joined = new HashSet<>();
    private Future<?> editing = Future.succeededFuture();

    /** True if the client has ever requested a lock or joined a resource, independent of the result. */
    private boolean edits;

    private boolean watchesRuns;
    private boolean watchesTables;

    /** The member with the roles of the last admission. */
    private Principal.SignedInUser user;

    /** Identifies the member again, because roles may have been withdrawn since the connection was opened. */
    interface Admission {
        Future<Principal.SignedInUser> admit(Permission permission);
    }

    ChannelRequests(
            Bus bus,
            RunProgressHub watch,
            TextSocket socket,
            Admission admission,
            Principal.SignedInUser user,
            EditorPresence editor) {
        this.bus = bus;
        this.watch = watch;
        this.socket = socket;
        this.admission = admission;
        this.user = user;
        this.editor = editor;
    }

    void readmitted(Principal.SignedInUser identified) {
        user = identified;
    }

    void take(Packet packet) {
        try {
            switch (packet.event()) {
                case "TEST_FLOW_RUN" ->
                    start(
                            packet,
                            Permission.WRITE_FLOW,
                            new RunCommands.TestFlow(editor.projectId(), versionId(packet), user.id()));
                case "MANUAL_TRIGGER_RUN_STARTED" ->
                    start(
                            packet,
                            Permission.WRITE_RUN,
                            new RunCommands.StartVersion(
                                    editor.projectId(), versionId(packet), Json.object(), user.id()));
                case "LOCK_RESOURCE" -> lock(packet);
                case "UNLOCK_RESOURCE" -> unlock(resourceId(packet));
                case "JOIN_PRESENCE" -> join(resourceId(packet));
                case "LEAVE_PRESENCE" -> leave(resourceId(packet));
                case "WATCH_RUNS" -> watchRuns();
                case "WATCH_TABLES" -> watchTables(packet);
                default -> {}
            }
        } catch (ApiException refused) {
            refuse(packet, refused);
        }
    }

    private static String versionId(Packet packet) {
        return packet.payload().path("flowVersionId").asText();
    }

    private static String resourceId(Packet packet) {
        var id = packet.payload().path("resourceId").asText();
        if (id.isEmpty() || id.length() > RESOURCE_ID_LENGTH_MAX || id.indexOf(0) >= 0) {
            throw ApiException.of(
                    ErrorCode.INVALID_INPUT,
                    "resourceId: expected 1 to " + RESOURCE_ID_LENGTH_MAX + " characters, none of them NUL");
        }
        return id;
    }

    /** Starts a run; {@link Runs.Announced} notifies all members of the start, including this one. */
    private void start(Packet packet, Permission permission, BusRequest<Run> start) {
        admission
                .admit(permission)
                .onSuccess(this::readmitted)
                .compose(_ -> bus.ask(start, ChannelSession.DEADLINE_MS))
                .onSuccess(run -> answer(packet, run.toJson(user)))
                .onFailure(cause -> refuse(packet, ErrorRenderer.refusalOf(cause, editor.memberId())));
    }

    private void lock(Packet packet) {
        var resourceId = resourceId(packet);
        refuseTooMany(locked);
        edits = true;
        var isNew = locked.add(resourceId);
        var force = packet.payload().path("force").asBoolean();
        inTurn(new Editors.Lock(editor, resourceId, force))
                .onSuccess(locking -> {
                    if (!locking.acquired()) {
                        locked.remove(resourceId);
                    }
                    answer(packet, locking.toJson());
                })
                .onFailure(cause -> {
                    if (isNew) {
                        locked.remove(resourceId);
                    }
                    refuse(packet, ErrorRenderer.refusalOf(cause, editor.memberId()));
                });
    }

    private void unlock(String resourceId) {
        locked.remove(resourceId);
        ask(new Editors.Unlock(editor, resourceId));
    }

    private void join(String resourceId) {
        refuseTooMany(joined);
        edits = true;
        joined.add(resourceId);
        ask(new Editors.Join(editor, resourceId));
    }

    private void leave(String resourceId) {
        joined.remove(resourceId);
        ask(new Editors.Leave(editor, resourceId));
    }

    private void ask(BusRequest<Nothing> request) {
        inTurn(request).onFailure(cause -> LOG.warn("cannot read the current editors: {}", cause.getMessage()));
    }

    /** Performs the requests of one connection in their order. */
    private <R> Future<R> inTurn(BusRequest<R> request) {
        var asked = editing.transform(_ -> bus.ask(request, ChannelSession.DEADLINE_MS));
        editing = asked;
        return asked;
    }

    private void watchRuns() {
        if (!watchesRuns) {
            watchesRuns = true;
            ChangedRuns.tell(bus, editor.projectId(), socket);
        }
    }

    private void watchTables(Packet packet) {
        admission
                .admit(Permission.READ_TABLE)
                .onSuccess(_ -> {
                    if (!watchesTables) {
                        watchesTables = true;
                        ChangedTables.tell(bus, editor.projectId(), socket);
                    }
                    answer(packet, Json.object());
                })
                .onFailure(cause -> refuse(packet, ErrorRenderer.refusalOf(cause, editor.memberId())));
    }

    private static void refuseTooMany(Set<String> resources) {
        if (resources.size() >= RESOURCES_MAX) {
            throw ApiException.of(
                    ErrorCode.TOO_MANY_REQUESTS, "expected at most " + RESOURCES_MAX + " resources at once");
        }
    }

    private void answer(Packet packet, JsonNode answer) {
        if (!packet.ack().isEmpty()) {
            socket.send(Packet.acknowledged(packet.ack(), answer));
        }
    }

    private void refuse(Packet packet, ApiException refusal) {
        var body = ErrorRenderer.body(refusal);
        if (packet.ack().isEmpty()) {
            socket.send(Packet.event("ERROR", body.put("event", packet.event())));
        } else {
            answer(packet, body);
        }
    }

    /** Subscribes the member to a run until it ends; the run may have ended already. */
    void follow(String runId) {
        if (followers.size() < RUNS_MAX && !followers.containsKey(runId)) {
            followers.put(
                    runId, RunSubscription.open(bus, watch, runId, 0, ChannelSession.DEADLINE_MS, new Follower(runId)));
        }
    }

    /** Has no effect if the test is already followed, for instance after a pause. */
    void followTest(Runs.StepTestBegun test) {
        if (tests.size() < RUNS_MAX) {
            tests.computeIfAbsent(test.runId(), _ -> TestedStep.tell(bus, watch, socket, test));
        }
    }

    void leaveTest(String runId) {
        Optional.ofNullable(tests.remove(runId)).ifPresent(TestedStep::close);
    }

    /** Reads the rows of the followed runs: notices of other nodes may be lost. */
    void look() {
        List.copyOf(followers.values()).forEach(RunSubscription::look);
        tests.values().forEach(TestedStep::look);
    }

    /** The connection is closed. */
    void leave() {
        List.copyOf(followers.values()).forEach(RunSubscription::close);
        tests.values().forEach(TestedStep::close);
        if (edits) {
            ask(new Editors.Depart(editor));
        }
    }

    private final class Follower implements RunSubscription.Listener {
        private final String runId;
        private boolean begun;

        Follower(String runId) {
            this.runId = runId;
        }

        @Override
        public void step(Run run, long number, ObjectNode step) {
            begin(run);
            progress(run, step);
        }

        @Override
        public void run(Run run) {
            begin(run);
            progress(run, null);
            socket.send(Packet.event("FLOW_RUN_PROGRESS", Json.object().put("runId", runId)));
        }

        private void begin(Run run) {
            if (!begun) {
                begun = true;
                var isTest = run.environment() == RunEnvironment.TESTING;
                socket.send(Packet.event(
                        isTest ? "TEST_FLOW_RUN_STARTED" : "MANUAL_TRIGGER_RUN_STARTED", run.toJson(user)));
            }
        }

        /**
         * @param step null when the run itself has changed
         */
        private void progress(Run run, ObjectNode step) {
            var told = Json.object();
            told.set("flowRun", run.toJson(user));
            if (step != null) {
                told.set("step", step);
            }
            socket.send(Packet.event("UPDATE_RUN_PROGRESS", told));
        }

        @Override
        public void end() {
            followers.remove(runId);
        }
    }
}
