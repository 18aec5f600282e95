package io.millrace.engine.agent;

import io.millrace.base.access.Access;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.step.SingleActions;
import io.millrace.piece.builtin.ai.AiActions;
import io.millrace.piece.model.Models;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;

/** The route by which code of pieces has the server ask a model (contract agents 3.1). */
public final class AiExecutionRoutes implements RouteGroup {
    private final AiExecution execution;

    /** @param timeout longest time of an action for which no step waits (AP_FLOW_TIMEOUT_SECONDS) */
    public AiExecutionRoutes(
            Vertx vertx,
            Bus bus,
            AgentStarts starts,
            Models models,
            SingleActions actions,
            RunShards shards,
            Duration timeout,
            InstantSource clock) {
        var delivery =
                new AgentDelivery(bus, shards, delayMs -> vertx.timer(delayMs).mapEmpty());
        execution = new AiExecution(bus, starts, actions, new AiActions(models), delivery, timeout, clock);
    }

    @Override
    public void mount(Routes routes) {
        routes.post("/v1/ai/execute", Access.engine(), AiOrder::read, this::execute);
    }

    private Future<ApiReply> execute(ApiCall call, AiOrder order) {
        return execution.execute((Principal.Engine) call.principal(), order).map(ApiReply::ok);
    }
}
