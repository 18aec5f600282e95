package io.millrace.day;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Projects as files and as one file: fifty flows pulled, planned, applied to another project, watched; exported and
 * imported.
 */
final class CodeDay {
    private static final Duration START = Duration.ofMinutes(3);
    private static final int FLOWS = 50;

    private final PackagedFile file;
    private final Path files;
    private final DayFindings findings;

    CodeDay(PackagedFile file, Path files, DayFindings findings) {
        this.file = file;
        this.files = files;
        this.findings = findings;
    }

    void pass(DataDirectory directory, List<String> words) throws IOException {
        try (var server = file.start(directory.path(), Map.of(), words);
                var second = DataDirectory.create();
                var other = file.start(second.path(), Map.of(), words)) {
            var first = PublishedFlow.create(server.api(START), Day.demoFlow()).inProjectOfItsOwn(Day.demoFlow());
            for (var number = 1; number < FLOWS; number++) {
                first.beside(Day.demoFlow());
            }
            var there = PublishedFlow.create(other.api(START), Day.demoFlow()).inProjectOfItsOwn(Day.demoFlow());
            var here = new Place("http://127.0.0.1:" + server.port(START), first, key(first, "here"));
            var elsewhere = new Place("http://127.0.0.1:" + other.port(START), there, key(there, "there"));
            asCode(directory, here, elsewhere);
            asOneFile(directory, here, elsewhere);
        }
    }

    /** A project on a server, and the file with a key for it. */
    private record Place(String url, PublishedFlow flow, Path keyFile) {
        String[] words(String command, String... more) {
            var words = new ArrayList<>(List.of(command.split(" ")));
            words.addAll(List.of("--server", url, "--api-key-file", keyFile.toString(), "--json"));
            words.addAll(List.of(more));
            return words.toArray(String[]::new);
        }
    }

    private Path key(PublishedFlow owner, String name) throws IOException {
        var made = owner.api().post("/v1/api-keys", Json.object().put("displayName", name));
        return Files.writeString(files.resolve("key-" + name), made.text("/value"));
    }

    private void asCode(DataDirectory directory, Place here, Place elsewhere) throws IOException {
        var folder = files.resolve("code").toString();
        var project = here.flow().projectId();
        var target = elsewhere.flow().projectId();
        var pulled = run(directory, here.words("project pull", "--project", project, "--directory", folder));
        findings.add("pull of " + FLOWS + " flows", pulled.isOk(), pulled.told("filesChanged"));
        var plan = run(directory, elsewhere.words("project plan", "--project", target, "--directory", folder));
        findings.add(
                "plan tells of each",
                flows(plan.json(), "CREATE") == FLOWS,
                flows(plan.json(), "CREATE") + " to create");
        var began = System.nanoTime();
        var applied = run(
                directory,
                elsewhere.words("project apply", "--project", target, "--directory", folder, "--allow-deletion"));
        findings.add("apply", applied.isOk(), Day.msSince(began) + " ms");
        areLive("apply", elsewhere, target);
        var again = run(directory, elsewhere.words("project plan", "--project", target, "--directory", folder));
        findings.add(
                "nothing is left to do",
                again.json().path("items").isEmpty(),
                again.json().path("items").size() + " items");
        var drift = run(directory, elsewhere.words("project drift", "--project", target));
        findings.add("no drift", drift.status() == 0, "status " + drift.status());
        var changed = elsewhere.flow().beside(Day.demoFlow());
        var drifted = run(directory, elsewhere.words("project drift", "--project", target));
        findings.add(
                "a change by hand is drift",
                drifted.status() == 1,
                "flow " + changed.flowId() + ", status " + drifted.status());
    }

    private void asOneFile(DataDirectory directory, Place here, Place elsewhere) {
        var export = files.resolve("platform.export").toString();
        var exported = run(directory, here.words("export", "--to", export));
        findings.add("export of the platform", exported.isOk(), exported.told("projects", "flows", "templates"));
        var dry = run(directory, elsewhere.words("import", "--from", export, "--dry-run", "--keep"));
        findings.add(
                "dry run of its import",
                dry.isOk() && !dry.json().path("carriedOut").booleanValue(),
                "status " + dry.status());
        var imported = run(directory, elsewhere.words("import", "--from", export, "--keep"));
        findings.add(
                "import into the other server",
                imported.isOk(),
                imported.isOk() ? imported.json().path("projects").size() + " projects" : imported.told());
        for (var project : imported.json().path("projects")) {
            areLive("import", elsewhere, project.path("projectId").asText());
        }
        var again = run(directory, elsewhere.words("import", "--from", export, "--keep"));
        var left = 0;
        for (var project : again.json().path("projects")) {
            left += flows(project, "CREATE");
        }
        findings.add("a second import has nothing to make", again.isOk() && left == 0, left + " flows");
    }

    /** A command that has ended has left no flow unpublished. */
    private void areLive(String command, Place place, String projectId) {
        var publications = place.flow().api().get("/v1/projects/" + projectId + "/publications");
        var enabled = 0;
        var flows = place.flow()
                .api()
                .get("/v1/flows?limit=1000&projectId=" + projectId)
                .body()
                .path("data");
        for (var flow : flows) {
            enabled += flow.path("status").asText().equals("ENABLED") ? 1 : 0;
        }
        findings.add(
                command + " ends when its flows are live",
                publications.status() == 200
                        && publications.body().path("pending").isEmpty()
                        && publications.body().path("failed").isEmpty()
                        && enabled == flows.size(),
                enabled + " of " + flows.size() + " flows enabled, "
                        + publications.body().path("pending").size() + " pending");
    }

    private PackagedFile.Answer run(DataDirectory directory, String... words) {
        return file.run(directory.path(), Map.of(), words);
    }

    private static int flows(JsonNode plan, String action) {
        var count = 0;
        for (var item : plan.path("items")) {
            var isMeant = item.path("kind").asText().equals("FLOW")
                    && item.path("action").asText().equals(action);
            count += isMeant ? 1 : 0;
        }
        return count;
    }
}
