package io.millrace.engine.run.replay;

import io.millrace.authoring.flow.Flows;
import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.base.http.socket.EventStream;
import io.millrace.engine.run.RunStatus;
import java.util.List;

/** HTTP route that re-decides the history of a flow, as an event stream: counts after each batch, then the groups. */
public final class HistoryRoutes implements RouteGroup {
    private static final int SAMPLE = 1_000;

    private final HistoryRequests history;

    public HistoryRoutes(HistoryRequests history) {
        this.history = history;
    }

    @Override
    public void mount(Routes routes) {
        var ofFlow = Access.projectOfRow(Permission.READ_RUN, Flows.ProjectOf::new);
        routes.post(
                "/v1/flows/:id/redecide",
                ofFlow,
                this::readQuery,
                (call, query) -> history.prepare(query).map(walk -> begin(routes, call, walk)));
    }

    private HistoryQuery readQuery(Input input) {
        var body = input.body();
        var filter = body.isAbsent("filter") ? Fields.of("body/filter", Json.object()) : body.inner("filter");
        return new HistoryQuery(
                input.id("id"),
                body.text("version"),
                filter.isAbsent("status") ? List.of() : filter.options("status", RunStatus.class),
                filter.optionalInstant("createdAfter"),
                filter.optionalInstant("createdBefore"),
                body.optionalInteger("sample", 1, history.runsMax()).orElse(Math.min(SAMPLE, history.runsMax())));
    }

    private static ApiReply begin(Routes routes, ApiCall call, HistoryWalk walk) {
        EventStream stream;
        try {
            stream = routes.stream(call.context());
        } catch (RuntimeException refused) {
            walk.close();
            throw refused;
        }
        stream.whenClosed(walk::cancel);
        var context = call.context().vertx().getOrCreateContext();
        walk.run(counts -> context.runOnContext(_ -> stream.send("progress", counts)))
                .onComplete(done -> context.runOnContext(_ -> {
                    if (done.succeeded()) {
                        stream.send("result", done.result());
                    } else {
                        stream.send("error", Json.object().put("message", messageOf(done.cause())));
                    }
                    stream.end();
                }));
        return null;
    }

    private static String messageOf(Throwable cause) {
        return cause instanceof ApiException refused ? refused.text() : "the history could not be read";
    }
}
