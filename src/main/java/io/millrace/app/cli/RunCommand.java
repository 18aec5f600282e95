package io.millrace.app.cli;

import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import java.util.List;

/** The server itself: known here for the help, started by the process. */
final class RunCommand implements Subcommand {
    static final String NAME = "run";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "runs the server; the same as no command";
    }

    @Override
    public String description() {
        return """
                The server listens on AP_HOST and AP_PORT, and stops on SIGTERM within AP_SHUTDOWN_SECONDS. It takes no
                options of its own: its settings are in the environment and in conf/millrace.properties.""";
    }

    @Override
    public List<CommandOption> allOptions() {
        return List.of(CommandOption.HELP);
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        throw new IllegalStateException("the process starts the server");
    }
}
