package io.millrace.integration.activity;

import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.cluster.Topics;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.base.http.socket.EventStream;
import io.millrace.engine.run.Runs;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicInteger;

public final class ProjectEventRoutes implements RouteGroup {
    private final Bus bus;
    private final ListenerHub hub;

    /** Separate, so that reading logs delays no other listener. */
    private final ListenerHub hubWithSteps;

    private final AtomicInteger open;
    private final int listenersMax;

    /**
     * @param open number of open streams of this node
     * @param listenersMax its limit
     */
    public ProjectEventRoutes(Vertx vertx, Bus bus, AtomicInteger open, int listenersMax) {
        this.bus = bus;
        this.hub = new ListenerHub(vertx, bus, false);
        this.hubWithSteps = new ListenerHub(vertx, bus, true);
        this.open = open;
        this.listenersMax = listenersMax;
    }

    private record StreamQuery(String projectId, boolean withSteps) {}

    @Override
    public void mount(Routes routes) {
        routes.events(
                "/v1/projects/:id/events",
                Access.projectInPath(Permission.READ_RUN),
                input -> new StreamQuery(
                        input.id("id"), input.query().optionalFlag("steps").orElse(false)),
                new Routes.EventAnswer<StreamQuery>() {
                    @Override
                    public void admit() {
                        refuseTooMany();
                    }

                    @Override
                    public void begin(ApiCall call, StreamQuery asked, EventStream stream) {
                        listen(call, asked, stream);
                    }
                });
    }

    private void refuseTooMany() {
        if (open.get() >= listenersMax) {
            throw ApiException.of(
                    ErrorCode.TOO_MANY_REQUESTS,
                    "expected at most " + listenersMax + " event streams of projects; close one, or raise"
                            + " AP_EVENT_LISTENERS_MAX");
        }
    }

    private void listen(ApiCall call, StreamQuery asked, EventStream stream) {
        open.incrementAndGet();
        var projectId = asked.projectId();
        var ofListener = asked.withSteps() ? hubWithSteps : hub;
        var listener = new ProjectListener(projectId, asked.withSteps(), stream);
        var topic = Topics.watch(bus, Runs.topicOf(projectId));
        stream.whenClosed(() -> {
            open.decrementAndGet();
            topic.close();
            ofListener.remove(listener);
        });
        bus.ask(new ProjectEvents.Begin(projectId, EventPosition.parse(stream.lastEventId())), call.deadlineMs())
                .onSuccess(beginning -> {
                    listener.begin(beginning);
                    stream.onHeartbeat(listener::mark);
                    ofListener.add(listener);
                })
                .onFailure(_ -> listener.end(ProjectListener.End.UNAVAILABLE));
    }
}
