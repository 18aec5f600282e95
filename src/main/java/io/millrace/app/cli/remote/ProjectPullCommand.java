package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import io.millrace.base.core.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

public final class ProjectPullCommand implements Subcommand {
    static final CommandOption DIRECTORY = new CommandOption(
            "--directory", "DIR", "folder with the files of the project; default: the current folder");

    static final List<CommandOption> OPTIONS = withDirectory();

    private static List<CommandOption> withDirectory() {
        var options = new ArrayList<>(ProjectApi.OPTIONS);
        options.add(DIRECTORY);
        return List.copyOf(options);
    }

    static ProjectTree treeOf(CommandWords words) {
        return new ProjectTree(Path.of(words.value(DIRECTORY).orElse(".")));
    }

    @Override
    public String name() {
        return "project pull";
    }

    @Override
    public String summary() {
        return "writes the flows, tables, folders, connection names and variable names of a project into files";
    }

    @Override
    public String description() {
        return """
                Values of connections and variables are not written. Files that say the same already are not touched; those of
                flows, tables and connections that are gone are deleted.""";
    }

    @Override
    public List<CommandOption> options() {
        return OPTIONS;
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        var answer = ProjectApi.of(words, terminal).read();
        var written = treeOf(words).write((ObjectNode) answer.required("definition"));
        var revision = answer.path("revision").asText();
        terminal.out()
                .println(
                        words.isJson()
                                ? Json.object()
                                        .put("revision", revision)
                                        .put("filesChanged", written)
                                        .toString()
                                : written + " files changed");
        return ExitStatus.OK;
    }
}
