package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import io.millrace.app.cli.command.UsageException;
import io.millrace.app.cli.remote.ExportArchive.ExportedProject;
import io.millrace.base.core.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

public final class ImportCommand implements Subcommand {
    private static final CommandOption FROM = new CommandOption("--from", "FILE", "file written by export");
    private static final CommandOption PROJECT = new CommandOption(
            "--project",
            "ID",
            "imports an export of one project into this project; otherwise projects are matched by name");
    private static final CommandOption DRY_RUN =
            CommandOption.flag("--dry-run", "prints the changes without making them");
    private static final CommandOption OVERWRITE =
            CommandOption.flag("--overwrite", "replaces items that exist and differ");
    private static final CommandOption KEEP = CommandOption.flag("--keep", "keeps items that exist and differ");

    @Override
    public String name() {
        return "import";
    }

    @Override
    public String summary() {
        return "imports the projects and templates of an export into a server and keeps its other items";
    }

    @Override
    public String description() {
        return """
            Projects are found by their external id, else by their name, and made where there is none. Nothing is deleted. An
            item that is there and differs is a conflict: each is named, and nothing at all is changed (exit status 65; with
            --dry-run 1) unless --overwrite or --keep decides. Each project is one transaction, after its agents. Records of an
            export go into tables that the import makes, before its flows are there: no flow is started by them. Values of
            connections and variables, and keys of agents' tools, have to be given at the server; lines that begin with !
            name them. The command waits until the flows that the export publishes are live, and names each that is not (exit
            status 1).\
            """;
    }

    @Override
    public List<CommandOption> options() {
        return List.of(
                RemoteServer.SERVER,
                RemoteServer.KEY_FILE,
                FROM,
                PROJECT,
                DRY_RUN,
                OVERWRITE,
                KEEP,
                PublicationWait.NO_WAIT);
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        if (words.has(OVERWRITE) && words.has(KEEP)) {
            throw new UsageException("expected --overwrite or --keep, found both");
        }
        var archive = ExportArchive.read(Path.of(words.required(FROM)));
        var platform = new RemotePlatform(RemoteServer.of(words, terminal));
        var projects = projects(archive, platform, words);
        var templates = archive.templates().isEmpty() ? List.<TemplateImport>of() : templates(archive, platform);
        var hasConflicts =
                projects.stream().anyMatch(project -> !project.conflicts().isEmpty())
                        || templates.stream().anyMatch(TemplateImport::isConflict);
        var isDecided = words.has(OVERWRITE) || words.has(KEEP);
        var isCarriedOut = !words.has(DRY_RUN) && (isDecided || !hasConflicts);
        var told = isCarriedOut
                ? projects.stream()
                        .map(project -> project.carryOut(platform, words.has(OVERWRITE)))
                        .toList()
                : projects.stream()
                        .map(project -> project.planned(words.has(OVERWRITE)))
                        .toList();
        if (isCarriedOut) {
            templates.forEach(template -> template.carryOut(platform, words.has(OVERWRITE)));
        }
        var unpublished = isCarriedOut
                ? new PublicationWait(told.stream().map(platform::definitionOf).toList()).outcome(words)
                : Json.object();
        say(words, terminal, told, templates, isCarriedOut, unpublished);
        if (hasConflicts && !isDecided) {
            terminal.err().println("there are conflicts and nothing was changed: repeat with --overwrite or --keep");
            return words.has(DRY_RUN) ? ExitStatus.PROBLEM : ExitStatus.DATA;
        }
        var problems = isCarriedOut
                ? told.stream().flatMap(project -> project.path("problems").valueStream())
                : Stream.<JsonNode>empty();
        return PublicationWait.say(words, terminal, unpublished, problems);
    }

    private static List<ProjectImport> projects(ExportArchive archive, RemotePlatform platform, CommandWords words) {
        var named = words.value(PROJECT);
        if (named.isPresent() && archive.projects().size() != 1) {
            throw RemoteException.data("--project: expected an export of one project, found one of "
                    + archive.projects().size());
        }
        var present = named.map(platform::project).map(List::of).orElseGet(platform::projects);
        var imports = new ArrayList<ProjectImport>();
        for (var exported : archive.projects()) {
            var target = named.isPresent() ? Optional.of(present.getFirst()) : targetOf(exported, present);
            imports.add(target.map(project -> ProjectImport.into(exported, project, platform, words.has(KEEP)))
                    .orElseGet(() -> ProjectImport.fresh(exported)));
        }
        return imports;
    }

    private static Optional<ObjectNode> targetOf(ExportedProject exported, List<ObjectNode> present) {
        if (exported.externalId() != null) {
            var same = present.stream()
                    .filter(project -> exported.externalId()
                            .equals(project.path("externalId").textValue()))
                    .findFirst();
            if (same.isPresent()) {
                return same;
            }
        }
        var named = present.stream()
                .filter(project -> project.path("displayName").asText().equals(exported.displayName()))
                .toList();
        if (named.size() > 1) {
            throw RemoteException.data("there are " + named.size() + " projects named " + exported.displayName()
                    + ": export and import them one by one, with --project");
        }
        return named.stream().findFirst();
    }

    private static List<TemplateImport> templates(ExportArchive archive, RemotePlatform platform) {
        var present = platform.templates();
        return archive.templates().stream()
                .map(template -> TemplateImport.of(template, present))
                .toList();
    }

    private static void say(
            CommandWords words,
            Terminal terminal,
            List<ObjectNode> projects,
            List<TemplateImport> templates,
            boolean isCarriedOut,
            ObjectNode unpublished) {
        if (words.isJson()) {
            var json = Json.object().put("carriedOut", isCarriedOut);
            json.set("publications", unpublished);
            json.putArray("projects").addAll(projects);
            json.putArray("templates")
                    .addAll(templates.stream().map(TemplateImport::told).toList());
            terminal.out().println(json);
            return;
        }
        projects.forEach(project -> terminal.out().print(text(project)));
        templates.forEach(template -> terminal.out()
                .println("template \"" + template.content().path("name").asText() + "\": "
                        + template.action().name().toLowerCase(Locale.ROOT)));
    }

    private static String text(ObjectNode project) {
        var text = new StringBuilder("project \"" + project.path("displayName").asText() + "\""
                + (project.path("isNew").booleanValue() ? ", created\n" : "\n"));
        for (JsonNode conflict : project.path("conflicts")) {
            text.append("! conflict: the ")
                    .append(conflict.path("kind").asText().toLowerCase(Locale.ROOT))
                    .append(' ')
                    .append(conflict.path("key").asText())
                    .append(" \"")
                    .append(conflict.path("displayName").asText())
                    .append("\" exists and differs\n");
        }
        text.append(PlanText.of(project));
        if (project.path("records").intValue() > 0) {
            text.append(project.path("records").intValue()).append(" records for new tables\n");
        }
        return text.toString();
    }
}
