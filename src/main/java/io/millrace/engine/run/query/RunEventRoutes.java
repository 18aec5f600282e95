package io.millrace.engine.run.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.base.http.socket.EventStream;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.RunQueries;
import io.millrace.engine.run.journal.RunProgressHub;
import java.util.regex.Pattern;

/**
 * Progress of a run as an event stream: an event {@code step} for each step that begins or ends, an event {@code run}
 * for each change of the run's status, and the end of the stream with the end of the run.
 */
public final class RunEventRoutes implements RouteGroup {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");

    private final Bus bus;
    private final RunProgressHub watch;

    public RunEventRoutes(Bus bus, RunProgressHub watch) {
        this.bus = bus;
        this.watch = watch;
    }

    @Override
    public void mount(Routes routes) {
        var ofRun = Access.projectOfRow(Permission.READ_RUN, RunQueries.ProjectOf::new);
        routes.events("/v1/flow-runs/:id/events", ofRun, input -> input.id("id"), this::follow);
    }

    private void follow(ApiCall call, String runId, EventStream stream) {
        var last = NUMBER.matcher(stream.lastEventId()).matches() ? Long.parseLong(stream.lastEventId()) : 0;
        var reader = new Reader(call.principal(), stream);
        var follower = RunSubscription.open(bus, watch, runId, last, call.deadlineMs(), reader);
        stream.whenClosed(follower::close);
        stream.onHeartbeat(follower::look);
    }

    private record Reader(Principal principal, EventStream stream) implements RunSubscription.Listener {
        @Override
        public void step(Run run, long number, ObjectNode step) {
            if (number == 0) {
                stream.send("step", step);
            } else {
                stream.send("step", number, step);
            }
        }

        @Override
        public void run(Run run) {
            stream.send("run", run.toJson(principal));
        }

        @Override
        public void end() {
            stream.end();
        }
    }
}
