package io.millrace.app.cli.remote;

import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import java.util.List;

public final class ProjectPlanCommand implements Subcommand {
    @Override
    public String name() {
        return "project plan";
    }

    @Override
    public String summary() {
        return "prints the changes that the files would make to a project, by flow, step and field";
    }

    @Override
    public String description() {
        return "Changes nothing. Lines that begin with ! list manual steps that are needed afterwards.";
    }

    @Override
    public List<CommandOption> options() {
        return ProjectPullCommand.OPTIONS;
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        var api = ProjectApi.of(words, terminal);
        var tree = ProjectPullCommand.treeOf(words);
        var wanted = tree.read();
        var plan = tree.naming(() -> api.plan(wanted));
        terminal.out().print(words.isJson() ? plan + "\n" : PlanText.of(plan));
        return ExitStatus.OK;
    }
}
