package io.millrace.live;

import io.millrace.bus.Bus;
import io.millrace.http.HttpModule;
import io.millrace.http.Routes;
import io.millrace.run.RunWatch;

/** The channel's one route. Who may hear what is asked when a client connects, not by the route. */
public final class LiveRoutes implements HttpModule {
    private final Bus bus;
    private final RunWatch watch;
    private final Editors editors;

    public LiveRoutes(Bus bus, RunWatch watch, Editors editors) {
        this.bus = bus;
        this.watch = watch;
        this.editors = editors;
    }

    @Override
    public void mount(Routes routes) {
        routes.socket("/socket.io", socket -> Member.meet(bus, watch, editors, socket));
    }
}
