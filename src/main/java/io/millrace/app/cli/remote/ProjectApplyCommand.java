package io.millrace.app.cli.remote;

import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import java.util.ArrayList;
import java.util.List;

public final class ProjectApplyCommand implements Subcommand {
    private static final CommandOption REVISION = new CommandOption(
            "--revision",
            "REVISION",
            "version of the project from plan --json; refuses when the project has changed since");

    private static final CommandOption ALLOW_DELETION =
            CommandOption.flag("--allow-deletion", "deletes flows and tables (with records) that have no file");

    @Override
    public String name() {
        return "project apply";
    }

    @Override
    public String summary() {
        return "makes a project match the files, atomically, and prints the changes";
    }

    @Override
    public String description() {
        return """
            One transaction, under a lock of the project, with an entry in the audit log. Flows that the files publish are
            published after the transaction has committed; the command waits for that and names each flow that is not live
            (exit status 1). Connections and variables are never deleted.\
            """;
    }

    @Override
    public List<CommandOption> options() {
        var options = new ArrayList<>(ProjectPullCommand.OPTIONS);
        options.add(REVISION);
        options.add(ALLOW_DELETION);
        options.add(PublicationWait.NO_WAIT);
        return options;
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        var api = ProjectApi.of(words, terminal);
        var tree = ProjectPullCommand.treeOf(words);
        var wanted = tree.read();
        var applied = tree.naming(() -> api.apply(wanted, words.value(REVISION), words.has(ALLOW_DELETION)));
        var unpublished = new PublicationWait(List.of(api)).outcome(words);
        applied.set("publications", unpublished);
        terminal.out().print(words.isJson() ? applied + "\n" : PlanText.of(applied));
        return PublicationWait.say(
                words, terminal, unpublished, applied.path("problems").valueStream());
    }
}
