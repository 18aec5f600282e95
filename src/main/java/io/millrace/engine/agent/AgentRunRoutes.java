package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Access;
import io.millrace.base.access.Access.ProjectSource;
import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.base.http.socket.EventStream;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.regex.Pattern;

/** Routes of agent runs (seed, Other routes; contract agents 2.1, 2.3). */
public final class AgentRunRoutes implements RouteGroup {
    private static final int PAGE_LIMIT_DEFAULT = 20;
    private static final int PAGE_LIMIT_MAX = 100;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");
    private static final String RUNS = "/v1/agents/runs";
    private static final String CONVERSATIONS = "/v1/agents/conversations/runs";

    private final Bus bus;
    private final AgentStarts starts;

    public AgentRunRoutes(Bus bus, AgentStarts starts) {
        this.bus = bus;
        this.starts = starts;
    }

    @Override
    public void mount(Routes routes) {
        var read = Access.projectOfRow(Permission.READ_AGENT, AgentRunRows.ProjectOf::new);
        routes.post(
                RUNS,
                Access.projectAndPieces(Permission.WRITE_AGENT, new ProjectSource.Body()),
                input -> Parameters.read(input, starts.messagesMax()),
                this::start);
        routes.get(RUNS + "/:id", read, input -> input.id("id"), this::get);
        routes.post(
                RUNS + "/:id/cancel",
                Access.projectOfRow(Permission.WRITE_AGENT, AgentRunRows.ProjectOf::new),
                input -> input.id("id"),
                this::cancel);
        routes.events(RUNS + "/:id/events", read, input -> input.id("id"), this::follow);
        routes.get(CONVERSATIONS, Access.projectInQuery(Permission.READ_AGENT), RunPageRequest::read, this::list);
        routes.get(
                CONVERSATIONS + "/:id",
                Access.projectInQuery(Permission.READ_AGENT),
                Conversation::read,
                this::getConversation);
    }

    /** Parameters of a requested run. A piece names the waiting step; other clients read the result. */
    private record Parameters(AgentRequest request, Optional<String> flowRunId, Optional<String> waitpointId) {
        static Parameters read(Input input, int messagesMax) {
            var body = input.body();
            body.optionalText("projectId", Ids.PATTERN);
            var request = AgentRequest.read(body, messagesMax);
            return new Parameters(request, body.optionalText("flowRunId"), body.optionalText("waitpointId"));
        }

        /** The token of a piece is good for a run only that one of its flow runs waits for. */
        void refuseUnlessWaitedFor() {
            var missing = Fields.of("body", Json.object());
            flowRunId.ifPresentOrElse(_ -> {}, () -> missing.text("flowRunId"));
            waitpointId.ifPresentOrElse(_ -> {}, () -> missing.text("waitpointId"));
            missing.done();
        }

        AgentRequest of(ApiCall call) {
            var isEngine = call.principal() instanceof Principal.Engine;
            if (isEngine) {
                refuseUnlessWaitedFor();
            }
            var waiting = isEngine
                    ? waitpointId.map(id -> new AgentRequest.AwaitingRun(null, flowRunId.get(), id))
                    : Optional.<AgentRequest.AwaitingRun>empty();
            var user = call.principal() instanceof Principal.SignedInUser known
                    ? Optional.of(known.id())
                    : Optional.<String>empty();
            return request.in(call.projectId(), user, waiting);
        }
    }

    private record RunPageRequest(String agentId, PageRequest page) {
        static RunPageRequest read(Input input) {
            var query = input.query();
            query.text("projectId");
            query.optionalInteger("limit", 1, PAGE_LIMIT_MAX);
            return new RunPageRequest(query.text("agentId", 1, Fields.NAME_LENGTH_MAX), query.page(PAGE_LIMIT_DEFAULT));
        }
    }

    private record Conversation(String id) {
        static Conversation read(Input input) {
            input.query().text("projectId");
            return new Conversation(input.id("id"));
        }
    }

    private Future<ApiReply> start(ApiCall call, Parameters parameters) {
        return starts.startChecked(parameters.of(call))
                .map(id -> ApiReply.ok(Json.object().put("conversationId", id).put("runId", id)));
    }

    private Future<ApiReply> get(ApiCall call, String id) {
        return bus.ask(new AgentRunRows.Get(id, Optional.empty()), call.deadlineMs())
                .map(ApiReply::ok);
    }

    private Future<ApiReply> getConversation(ApiCall call, Conversation conversation) {
        return bus.ask(new AgentRunRows.Get(conversation.id(), Optional.of(call.projectId())), call.deadlineMs())
                .map(ApiReply::ok);
    }

    private void follow(ApiCall call, String id, EventStream stream) {
        var last = NUMBER.matcher(stream.lastEventId()).matches() ? Long.parseLong(stream.lastEventId()) : 0;
        var follower = AgentFollower.open(bus, id, last, call.deadlineMs(), new Reader(id, stream));
        stream.whenClosed(follower::close);
        stream.onHeartbeat(follower::look);
    }

    /** Subscriber of a run: sends its events to a chat as server-sent events (contract agents 6.3). */
    private record Reader(String runId, EventStream stream) implements AgentFollower.Listener {
        @Override
        public void chunks(long number, ArrayNode chunks) {
            if (number == 0) {
                stream.send("CHUNK", payload("CHUNK", chunks));
            } else {
                stream.send("CHUNK", number, payload("CHUNK", chunks));
            }
        }

        @Override
        public void finished() {
            stream.send("FINISHED", payload("FINISHED", Json.object().put("conversationId", runId)));
        }

        @Override
        public void failed(String message) {
            stream.send("ERROR", payload("ERROR", Json.object().put("message", message)));
        }

        @Override
        public void end() {
            stream.end();
        }

        private ObjectNode payload(String type, JsonNode data) {
            var payload = Json.object().put("conversationId", runId).put("runId", runId);
            payload.putObject("event").put("type", type).set("data", data);
            return payload;
        }
    }

    private Future<ApiReply> cancel(ApiCall call, String id) {
        return bus.ask(new AgentRunRows.Cancel(call.projectId(), id), call.deadlineMs())
                .map(_ -> ApiReply.okEmpty());
    }

    private Future<ApiReply> list(ApiCall call, RunPageRequest wanted) {
        return bus.ask(new AgentRunRows.Find(call.projectId(), wanted.agentId(), wanted.page()), call.deadlineMs())
                .map(page -> ApiReply.page(page, json -> json));
    }
}
