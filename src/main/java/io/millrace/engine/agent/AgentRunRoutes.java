package io.millrace.engine.agent;

import io.millrace.base.access.Access;
import io.millrace.base.access.Access.ProjectSource;
import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.core.PageRequest;
import io.millrace.base.http.Call;
import io.millrace.base.http.Input;
import io.millrace.base.http.Reply;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.util.Optional;

/** Routes of agent runs (seed, Other routes; contract agents 2.1, 2.3). */
public final class AgentRunRoutes implements RouteGroup {
    private static final int PAGE_LIMIT_DEFAULT = 20;
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
                Parameters::read,
                this::start);
        routes.get(RUNS + "/:id", read, input -> input.id("id"), this::get);
        routes.post(
                RUNS + "/:id/cancel",
                Access.projectOfRow(Permission.WRITE_AGENT, AgentRunRows.ProjectOf::new),
                input -> input.id("id"),
                this::cancel);
        routes.get(CONVERSATIONS, Access.projectInQuery(Permission.READ_AGENT), Wanted::read, this::list);
        routes.get(CONVERSATIONS + "/:id", read, input -> input.id("id"), this::get);
    }

    /** A run as it is asked for. A piece says who waits; everybody else reads the result. */
    private record Parameters(AgentStarts.Order order, Optional<String> flowRunId, Optional<String> waitpointId) {
        static Parameters read(Input input) {
            var body = input.body();
            var order = AgentStarts.Order.read(body);
            return new Parameters(order, body.optionalText("flowRunId"), body.optionalText("waitpointId"));
        }

        AgentStarts.Order of(Call call) {
            var waiting = call.principal() instanceof Principal.Engine && flowRunId.isPresent()
                    ? waitpointId.map(id -> new AgentStarts.Waiting(null, flowRunId.get(), id))
                    : Optional.<AgentStarts.Waiting>empty();
            var user = call.principal() instanceof Principal.User known
                    ? Optional.of(known.id())
                    : Optional.<String>empty();
            return new AgentStarts.Order(
                    call.projectId(),
                    order.instruction(),
                    order.agentId(),
                    order.tools(),
                    order.structuredOutput(),
                    order.maxSteps(),
                    order.model(),
                    user,
                    waiting);
        }
    }

    /** A list as it is asked for. */
    private record Wanted(Optional<String> agentId, PageRequest page) {
        static Wanted read(Input input) {
            var query = input.query();
            query.text("projectId");
            return new Wanted(query.optionalText("agentId"), query.page(PAGE_LIMIT_DEFAULT));
        }
    }

    private Future<Reply> start(Call call, Parameters parameters) {
        return starts.startChecked(parameters.of(call))
                .map(id -> Reply.ok(Json.object().put("conversationId", id).put("runId", id)));
    }

    private Future<Reply> get(Call call, String id) {
        return bus.ask(new AgentRunRows.Get(id), call.deadlineMs()).map(Reply::ok);
    }

    private Future<Reply> cancel(Call call, String id) {
        return bus.ask(new AgentRunRows.Cancel(call.projectId(), id), call.deadlineMs())
                .map(_ -> Reply.okEmpty());
    }

    private Future<Reply> list(Call call, Wanted wanted) {
        return bus.ask(new AgentRunRows.Find(call.projectId(), wanted.agentId(), wanted.page()), call.deadlineMs())
                .map(page -> Reply.page(page, json -> json));
    }
}
