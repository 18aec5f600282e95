package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import io.millrace.app.cli.command.UsageException;
import io.millrace.base.core.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Executes the tests of flows: of the files of a project without a server, or of a project at a running server. */
public final class FlowTestCommand implements Subcommand {
    private static final CommandOption VERSION = new CommandOption(
            "--version", "VERSION", "version of each flow, with --project: draft or published; default: draft");
    private static final CommandOption JUNIT =
            new CommandOption("--junit", "FILE", "file for the results in the XML format of JUnit");
    private static final List<String> VERSIONS = List.of("draft", "published");

    @Override
    public String name() {
        return "test";
    }

    @Override
    public String summary() {
        return "executes the tests of the flows of a folder or of a project; exit status 1 if any does not pass";
    }

    @Override
    public String description() {
        return """
                Without --project, tests the files that project pull writes; no server is needed, and nothing is sent. With
                --server and --project, the server executes the tests of the project.""";
    }

    @Override
    public List<CommandOption> options() {
        return List.of(
                ProjectPullCommand.DIRECTORY,
                RemoteServer.SERVER,
                ProjectApi.PROJECT,
                RemoteServer.KEY_FILE,
                VERSION,
                JUNIT);
    }

    /** {@code millrace test DIR}. */
    @Override
    public Optional<CommandOption> argument() {
        return Optional.of(ProjectPullCommand.DIRECTORY);
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        if (words.has(ProjectApi.PROJECT) && words.has(ProjectPullCommand.DIRECTORY)) {
            throw new UsageException("expected --directory or --project, found both");
        }
        var flows = words.has(ProjectApi.PROJECT) ? ofProject(words, terminal) : ofFiles(words);
        var report = report(flows);
        words.value(JUNIT).ifPresent(file -> JunitXml.write(Path.of(file), flows));
        terminal.out().print(words.isJson() ? report + "\n" : text(flows, report));
        return report.path("failed").asInt() + report.path("stale").asInt() == 0 ? ExitStatus.OK : ExitStatus.PROBLEM;
    }

    /**
     * Tests of one flow.
     *
     * @param report results in the form of the API
     */
    record TestedFlow(String name, JsonNode report) {}

    private static List<TestedFlow> ofFiles(CommandWords words) {
        if (words.has(VERSION)) {
            throw new UsageException("--version: expected --project before it; files hold one version of each flow");
        }
        return new FileTests().run(ProjectPullCommand.treeOf(words).read());
    }

    private static List<TestedFlow> ofProject(CommandWords words, Terminal terminal) {
        var version = words.value(VERSION).orElse("draft");
        if (!VERSIONS.contains(version)) {
            throw new UsageException("--version: expected draft or published, found " + version);
        }
        var server = RemoteServer.of(words, terminal);
        var projectId = ProjectApi.checkedId(words.required(ProjectApi.PROJECT));
        var tested = new ArrayList<TestedFlow>();
        for (var flow : server.pages("/api/v1/flows?projectId=" + projectId)) {
            if (version.equals("draft") || flow.hasNonNull("publishedVersionId")) {
                var path = "/api/v1/flows/" + flow.path("id").asText() + "/tests/run";
                var report = server.post(path, Json.object().put("version", version));
                tested.add(new TestedFlow(flow.at("/version/displayName").asText(), report));
            }
        }
        return tested;
    }

    private static ObjectNode report(List<TestedFlow> flows) {
        var json = Json.object();
        for (var state : List.of("passed", "failed", "stale")) {
            json.put(
                    state,
                    flows.stream()
                            .mapToInt(flow -> flow.report().path(state).asInt())
                            .sum());
        }
        var list = json.putArray("flows");
        flows.forEach(flow -> list.addObject().put("name", flow.name()).set("report", flow.report()));
        return json;
    }

    private static String text(List<TestedFlow> flows, JsonNode report) {
        var text = new StringBuilder();
        for (var flow : flows) {
            for (var result : flow.report().path("results")) {
                text.append(result.path("state").asText())
                        .append("  ")
                        .append(flow.name())
                        .append(" / ")
                        .append(result.path("name").asText())
                        .append('\n');
                reason(result)
                        .lines()
                        .forEach(line -> text.append("    ").append(line).append('\n'));
            }
        }
        return text.append(report.path("passed").asInt())
                .append(" passed, ")
                .append(report.path("failed").asInt())
                .append(" failed, ")
                .append(report.path("stale").asInt())
                .append(" stale\n")
                .toString();
    }

    /** Reason why a test does not pass, in lines; empty for one that passes. */
    static String reason(JsonNode result) {
        if (result.path("stale").isObject()) {
            return "step " + result.at("/stale/step").asText() + ": "
                    + result.at("/stale/reason").asText() + "\n";
        }
        var text = new StringBuilder();
        for (var difference : result.path("differences")) {
            text.append(difference.path("path").asText())
                    .append(": expected ")
                    .append(shown(difference, "expected"))
                    .append(", found ")
                    .append(shown(difference, "found"))
                    .append('\n');
        }
        var more = result.path("differencesCount").asInt()
                - result.path("differences").size();
        return more > 0 ? text.append("and ").append(more).append(" more\n").toString() : text.toString();
    }

    private static String shown(JsonNode difference, String name) {
        return difference.has(name) ? difference.get(name).toString() : "nothing";
    }
}
