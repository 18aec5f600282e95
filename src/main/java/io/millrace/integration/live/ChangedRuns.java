package io.millrace.integration.live;

import io.millrace.base.bus.Bus;
import io.millrace.base.cluster.Topics;
import io.millrace.base.core.Json;
import io.millrace.base.http.socket.TextSocket;
import io.millrace.engine.run.Runs;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Notifies a subscriber of the list of runs of started, changed and ended runs of a project. Changes are batched, because a
 * project may have thousands a second; the client requests the runs that it shows. Stays on the event loop of its connection.
 */
final class ChangedRuns {
    private static final long INTERVAL_MS = 500;

    /** Maximum number of runs named in one event; with more, the client reads the list again. */
    private static final int NAMED_MAX = 100;

    private final String projectId;
    private final TextSocket socket;
    private final Set<String> changed = new LinkedHashSet<>();
    private boolean more;

    private ChangedRuns(String projectId, TextSocket socket) {
        this.projectId = projectId;
        this.socket = socket;
    }

    /** Sends changes until the socket is closed. */
    static void tell(Bus bus, String projectId, TextSocket socket) {
        var runs = new ChangedRuns(projectId, socket);
        runs.closeLater(bus.on(Runs.Shown.class, shown -> runs.add(shown.projectId(), shown.runId())));
        runs.closeLater(bus.on(Runs.Ended.class, ended -> runs.add(ended.projectId(), ended.runId())));
        runs.closeLater(bus.on(Runs.Retried.class, retried -> runs.add(retried.projectId(), retried.runId())));
        runs.closeLater(Topics.watch(bus, Runs.topicOf(projectId)));
        socket.every(INTERVAL_MS, runs::flush);
    }

    private void closeLater(Bus.OpenEndpoint opened) {
        socket.whenClosed(opened::close);
    }

    private void add(String ofProject, String runId) {
        if (!ofProject.equals(projectId)) {
            return;
        }
        if (changed.size() < NAMED_MAX) {
            changed.add(runId);
        } else {
            more |= !changed.contains(runId);
        }
    }

    private void flush() {
        if (changed.isEmpty()) {
            return;
        }
        var told = Json.object().put("more", more);
        changed.forEach(told.putArray("runIds")::add);
        changed.clear();
        more = false;
        socket.send(Packet.event("RUNS_CHANGED", told));
    }
}
