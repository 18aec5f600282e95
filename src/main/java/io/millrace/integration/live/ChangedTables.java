package io.millrace.integration.live;

import io.millrace.authoring.table.Tables;
import io.millrace.base.bus.Bus;
import io.millrace.base.cluster.Topics;
import io.millrace.base.core.Json;
import io.millrace.base.http.socket.TextSocket;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Notifies a subscriber of changed records of the tables of a project. Changes are batched, as in {@link ChangedRuns}; the
 * client requests the records that it shows. Stays on the event loop of its connection.
 */
final class ChangedTables {
    private static final long INTERVAL_MS = 500;

    /** Maximum number of records of one table named in one event; with more, the client reads the whole table again. */
    private static final int NAMED_MAX = 200;

    /** Maximum number of tables with pending changes; with more, a notice is sent at once. */
    private static final int TABLES_MAX = 50;

    private final String projectId;
    private final TextSocket socket;
    private final Map<String, PendingChange> changed = new LinkedHashMap<>();

    private ChangedTables(String projectId, TextSocket socket) {
        this.projectId = projectId;
        this.socket = socket;
    }

    private static final class PendingChange {
        private final Set<String> recordIds = new LinkedHashSet<>();
        private boolean isWhole;

        void add(Tables.Changed told) {
            recordIds.addAll(told.recordIds());
            isWhole |= told.recordIds().isEmpty() || recordIds.size() > NAMED_MAX;
            if (isWhole) {
                recordIds.clear();
            }
        }
    }

    /** Sends changes until the socket is closed. */
    static void tell(Bus bus, String projectId, TextSocket socket) {
        var tables = new ChangedTables(projectId, socket);
        socket.whenClosed(bus.on(Tables.Changed.class, tables::add)::close);
        socket.whenClosed(Topics.watch(bus, Tables.topicOf(projectId))::close);
        socket.every(INTERVAL_MS, tables::flush);
    }

    private void add(Tables.Changed told) {
        if (!told.projectId().equals(projectId)) {
            return;
        }
        changed.computeIfAbsent(told.tableId(), _ -> new PendingChange()).add(told);
        if (changed.size() >= TABLES_MAX) {
            flush();
        }
    }

    private void flush() {
        changed.forEach((tableId, waiting) -> {
            var told = Json.object().put("tableId", tableId).put("more", waiting.isWhole);
            waiting.recordIds.forEach(told.putArray("recordIds")::add);
            socket.send(Packet.event("TABLE_CHANGED", told));
        });
        changed.clear();
    }
}
