package io.millrace.day;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.FreePort;
import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A server of an earlier release with data is upgraded, and rolled back by the backup that the upgrade took. */
final class UpgradeDay {
    private static final Duration START = Duration.ofMinutes(3);
    private static final Duration STOP = Duration.ofMinutes(1);
    private static final int CALLS = 500;
    private static final List<String> TABLES = List.of("ended_run", "flow", "flow_version", "project");

    private final PackagedFile earlier;
    private final PackagedFile file;
    private final Path files;
    private final DayFindings findings;

    UpgradeDay(PackagedFile earlier, PackagedFile file, Path files, DayFindings findings) {
        this.earlier = earlier;
        this.file = file;
        this.files = files;
        this.findings = findings;
    }

    void pass(List<String> words) throws IOException {
        var kept = files.resolve("upgrade");
        // Both releases have one address, as the server of an operator does: grants of MCP clients name it.
        var port = Integer.toString(FreePort.find().orElseThrow());
        var settings = Map.of("AP_BACKUP_TARGET", kept.toString(), "AP_PORT", port);
        try (var directory = DataDirectory.create()) {
            var before = new TreeMap<String, String>();
            var columns = new TreeMap<String, String>();
            PublishedFlow flow;
            IssuedByEarlier issued;
            try (var server = earlier.start(directory.path(), Map.of("AP_PORT", port), words)) {
                flow = PublishedFlow.create(server.api(START).ofEarlierRelease(), Day.demoFlow());
                for (var call = 0; call < CALLS; call++) {
                    flow.api().post("/v1/webhooks/" + flow.flowId() + "/sync", order());
                }
                issued = new IssuedByEarlier(flow);
                for (var table : TABLES) {
                    columns.put(table, TableSums.columns(directory, table));
                    before.put(table, TableSums.of(directory, table, columns.get(table)));
                }
                server.terminate();
                server.exitStatus(STOP);
            }
            looked(directory, settings);
            var began = System.nanoTime();
            try (var server = file.start(directory.path(), settings, words)) {
                var same = flow.at(server.api(START));
                findings.add("the new release serves", true, "after " + Day.msSince(began) + " ms");
                for (var table : TABLES) {
                    var found = TableSums.of(directory, table, columns.get(table));
                    findings.add("upgraded: every row of " + table, found.equals(before.get(table)), found);
                }
                var answer = same.api().post("/v1/webhooks/" + same.flowId() + "/sync", order());
                findings.add(
                        "upgraded: the flow answers",
                        answer.status() == 200,
                        answer.body().toString());
                issued.use(server.api(START), findings);
                server.terminate();
                server.exitStatus(STOP);
            }
            wayBack(kept, before, columns, words);
        }
    }

    static JsonNode order() {
        return Json.object().put("customer", "Ada").put("quantity", 3).put("price", 19.5);
    }

    private void looked(DataDirectory directory, Map<String, String> settings) {
        var doctor = file.run(directory.path(), settings, "doctor", "--upgrade", "--json");
        var migrations = 0;
        for (var finding : doctor.json().path("findings")) {
            migrations += finding.path("subject").asText().equals("migration") ? 1 : 0;
        }
        findings.add(
                "doctor --upgrade names what will be migrated",
                doctor.isOk() && migrations > 0,
                migrations + " migrations");
    }

    private void wayBack(Path kept, Map<String, String> before, Map<String, String> columns, List<String> words)
            throws IOException {
        try (var back = DataDirectory.create();
                var taken = Files.newDirectoryStream(kept, "*.backup")) {
            var backups = taken.iterator();
            findings.add(
                    "a backup was taken before the migration",
                    backups.hasNext(),
                    kept.getFileName().toString());
            if (!backups.hasNext()) {
                return;
            }
            var restored = earlier.run(
                    back.path(), Map.of(), "restore", "--from", backups.next().toString(), "--json");
            findings.add("the earlier release restores it", restored.isOk(), restored.told("schemaVersion", "rows"));
            try (var server = earlier.start(back.path(), Map.of(), words)) {
                server.port(START);
                for (var table : TABLES) {
                    var found = TableSums.of(back, table, columns.get(table));
                    findings.add("back again: every row of " + table, found.equals(before.get(table)), found);
                }
            }
        }
    }
}
