package io.millrace.app.cli.remote;

import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import java.util.List;

public final class ProjectDriftCommand implements Subcommand {
    @Override
    public String name() {
        return "project drift";
    }

    @Override
    public String summary() {
        return "prints the changes of a project since files were last applied to it; exit status 1 if there are any";
    }

    @Override
    public String description() {
        return "Needs no files: the server stores the state that was applied last. Apply again to undo the changes, pull to keep them.";
    }

    @Override
    public List<CommandOption> options() {
        return ProjectApi.OPTIONS;
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        var drift = ProjectApi.of(words, terminal).drift();
        terminal.out().print(words.isJson() ? drift + "\n" : PlanText.of(drift));
        return drift.path("drifted").asBoolean() ? ExitStatus.PROBLEM : ExitStatus.OK;
    }
}
