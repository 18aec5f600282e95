package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.app.Server;
import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import io.millrace.app.cli.remote.ExportArchive.ExportedProject;
import io.millrace.base.core.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

public final class ExportCommand implements Subcommand {
    private static final CommandOption TO = new CommandOption("--to", "FILE", "file to write; it must not exist");
    private static final CommandOption PROJECT =
            new CommandOption("--project", "ID", "exports only this project, without templates");

    private static final CommandOption RECORDS = CommandOption.flag("--records", "includes the records of tables");

    @Override
    public String name() {
        return "export";
    }

    @Override
    public String summary() {
        return "writes projects and templates of a server to a file for import into another server";
    }

    @Override
    public String description() {
        return """
                Without --project, every project that the key sees and the platform's own templates. Of each project what project
                pull writes: flows, tables, folders, names of connections and variables; and the agents that the whole project sees.
                Records of tables come with --records. Secrets, runs, files and accounts are in backups only.""";
    }

    @Override
    public List<CommandOption> options() {
        return List.of(RemoteServer.SERVER, RemoteServer.KEY_FILE, TO, PROJECT, RECORDS);
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        var file = Path.of(words.required(TO));
        var platform = new RemotePlatform(RemoteServer.of(words, terminal));
        var one = words.value(PROJECT);
        var projects = one.map(platform::project).map(List::of).orElseGet(platform::projects);
        var exported = projects.stream()
                .map(project -> exported(platform, project, words.has(RECORDS)))
                .toList();
        var templates = one.isPresent() ? List.<ObjectNode>of() : platform.templates();
        new ExportArchive(exported, templates)
                .write(file, Server.VERSION, terminal.clock().instant());
        var flows = exported.stream()
                .mapToInt(project -> size(project.definition().path("flows")))
                .sum();
        var agents =
                exported.stream().mapToInt(project -> project.agents().size()).sum();
        var records = exported.stream()
                .flatMap(project -> project.records().values().stream())
                .mapToInt(List::size)
                .sum();
        terminal.out()
                .println(
                        words.isJson()
                                ? Json.object()
                                        .put("file", file.toString())
                                        .put("projects", exported.size())
                                        .put("flows", flows)
                                        .put("agents", agents)
                                        .put("records", records)
                                        .put("templates", templates.size())
                                        .toString()
                                : file + ": " + flows + " flows, " + agents + " agents and " + records + " records of "
                                        + exported.size() + " projects, " + templates.size() + " templates");
        return ExitStatus.OK;
    }

    private static ExportedProject exported(RemotePlatform platform, ObjectNode project, boolean withRecords) {
        return new ExportedProject(
                project.path("displayName").asText(),
                project.path("externalId").textValue(),
                (ObjectNode) platform.definition(project).read().required("definition"),
                platform.agents(project).all().stream()
                        .map(AgentImport::contentOf)
                        .toList(),
                withRecords ? platform.tables(project).records() : Map.of());
    }

    private static int size(JsonNode list) {
        return list.size();
    }
}
