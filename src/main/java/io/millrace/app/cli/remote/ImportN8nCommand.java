package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import io.millrace.authoring.importer.n8n.WorkflowTranslator;
import io.millrace.base.core.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

public final class ImportN8nCommand implements Subcommand {
    private static final CommandOption FROM = new CommandOption(
            "--from",
            "PATH",
            "exported workflow or list of workflows, or a folder of such files; the name of the option may be left out");
    private static final CommandOption PROJECT = new CommandOption(
            "--project",
            "ID",
            "project of the flows; without a project nothing is sent, and the report is made offline");
    private static final CommandOption FOLDER =
            new CommandOption("--folder", "NAME", "folder of the flows; it is created if there is none");
    private static final CommandOption DRY_RUN =
            CommandOption.flag("--dry-run", "prints the report without creating flows");

    private static final int NODES_MAX = 5_000;
    private static final int BATCH = 20;

    /** A report has no dates. */
    private static final String NO_DATE = "1970-01-01T00:00:00.000Z";

    private static final String EXACT = "exact";

    @Override
    public String name() {
        return "import n8n";
    }

    @Override
    public String summary() {
        return "imports exported workflows of n8n as drafts, or reports what an import would do";
    }

    @Override
    public String description() {
        return """
            Each trigger of each workflow becomes a draft. Nothing is executed or published. The report lists each node that is not
            translated exactly with its differences (near) or gaps (byHand). Credentials are not part of an export: the report names the
            connections that the flows need. Exit status 1: a file could not be read, or the server refused a flow.\
            """;
    }

    @Override
    public List<CommandOption> options() {
        return List.of(FROM, RemoteServer.SERVER, RemoteServer.KEY_FILE, PROJECT, FOLDER, DRY_RUN);
    }

    @Override
    public Optional<CommandOption> argument() {
        return Optional.of(FROM);
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        var files = WorkflowFiles.read(Path.of(words.required(FROM)));
        var flows = Json.array();
        if (words.value(PROJECT).isPresent()) {
            send(files.workflows(), words, RemoteServer.of(words, terminal), flows);
        } else {
            translate(files.workflows(), flows);
        }
        files.problems().forEach(problem -> terminal.err().println(problem));
        if (words.isJson()) {
            var json = Json.object();
            json.set("flows", flows);
            files.problems().forEach(json.putArray("problems")::add);
            terminal.out().println(json);
        } else {
            print(flows, terminal);
        }
        var isRefused = flows.valueStream().anyMatch(flow -> flow.has("error"));
        return isRefused || !files.problems().isEmpty() ? ExitStatus.PROBLEM : ExitStatus.OK;
    }

    private static void send(List<JsonNode> workflows, CommandWords words, RemoteServer server, ArrayNode flows) {
        for (var start = 0; start < workflows.size(); start += BATCH) {
            var request =
                    Json.object().put("projectId", words.required(PROJECT)).put("dryRun", words.has(DRY_RUN));
            words.value(FOLDER).ifPresent(folder -> request.put("folder", folder));
            request.putArray("workflows").addAll(workflows.subList(start, Math.min(start + BATCH, workflows.size())));
            server.post("/api/v1/flows/import/n8n", request).path("flows").forEach(flows::add);
        }
    }

    private static void translate(List<JsonNode> workflows, ArrayNode flows) {
        var translator = new WorkflowTranslator(NODES_MAX, NO_DATE);
        for (var workflow : workflows) {
            for (var flow : translator.translate(workflow).flows()) {
                flows.addObject().put("displayName", flow.displayName()).set("report", flow.report());
            }
        }
    }

    private static void print(ArrayNode flows, Terminal terminal) {
        var sums = new int[3];
        for (var flow : flows) {
            terminal.out().print(text((ObjectNode) flow, sums));
        }
        terminal.out()
                .println(flows.size() + " flows; nodes: " + sums[0] + " exact, " + sums[1] + " near, " + sums[2]
                        + " by hand");
    }

    private static String text(ObjectNode flow, int[] sums) {
        var report = flow.path("report");
        var nodes = report.path("nodes");
        var text = new StringBuilder("flow \"" + flow.path("displayName").asText() + "\"");
        text.append(flow.has("id") ? " " + flow.path("id").asText() : "")
                .append(": ")
                .append(nodes.path(EXACT).asInt())
                .append(" exact, ")
                .append(nodes.path("near").asInt())
                .append(" near, ")
                .append(nodes.path("byHand").asInt())
                .append(" by hand\n");
        sums[0] += nodes.path(EXACT).asInt();
        sums[1] += nodes.path("near").asInt();
        sums[2] += nodes.path("byHand").asInt();
        if (flow.has("error")) {
            text.append("! not created: ").append(flow.path("error").asText()).append('\n');
        }
        report.path("differences")
                .forEach(difference ->
                        text.append("  ").append(difference.asText()).append('\n'));
        for (var entry : report.path("entries")) {
            if (!entry.path("result").asText().equals(EXACT)) {
                text.append(entry.path("result").asText().equals("near") ? "  near    " : "! by hand ")
                        .append(entry.path("node").asText())
                        .append(" (")
                        .append(entry.path("type").asText())
                        .append(")\n");
                entry.path("differences")
                        .forEach(difference -> text.append("            ")
                                .append(difference.asText())
                                .append('\n'));
            }
        }
        return text.toString();
    }
}
