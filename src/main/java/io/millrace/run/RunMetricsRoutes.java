package io.millrace.run;

import io.millrace.access.Access;
import io.millrace.bus.Bus;
import io.millrace.http.Call;
import io.millrace.http.HttpModule;
import io.millrace.http.Reply;
import io.millrace.http.Routes;
import io.vertx.core.Future;

/** What an operator watches, for Prometheus. An extension: the contract names no such route. */
public final class RunMetricsRoutes implements HttpModule {
    private static final String TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8";

    private final Bus bus;

    public RunMetricsRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/metrics", Access.platformAdmin(), _ -> new Runs.Measure(), this::measure);
    }

    private Future<Reply> measure(Call call, Runs.Measure ask) {
        return bus.ask(ask, call.deadlineMs()).map(gauges -> Reply.of(200, TEXT_FORMAT, gauges.text()));
    }
}
