package io.millrace.app.cli.remote;

import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import java.util.List;

public final class UserEraseCommand implements Subcommand {
    @Override
    public String name() {
        return "user erase";
    }

    @Override
    public String summary() {
        return "erases a user and their personal data from a server, and prints what was erased and what is kept for how long";
    }

    @Override
    public String description() {
        return "Cannot be undone; run user data first to keep a copy. Events of the audit log stay until their retention ends.";
    }

    @Override
    public List<CommandOption> options() {
        return List.of(RemoteServer.SERVER, RemoteServer.KEY_FILE, UserDataCommand.USER);
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        var report = RemoteServer.of(words, terminal).delete(UserDataCommand.pathOf(words));
        if (words.isJson()) {
            terminal.out().println(report);
            return ExitStatus.OK;
        }
        report.path("erased")
                .properties()
                .forEach(part -> terminal.out()
                        .println(part.getKey() + ": " + part.getValue().asText() + " removed"));
        var kept = report.path("kept");
        terminal.out()
                .println("auditEvents: " + kept.path("auditEvents").asText() + " kept"
                        + (kept.path("auditEventsUntil").isTextual()
                                ? " until " + kept.path("auditEventsUntil").asText()
                                : ""));
        return ExitStatus.OK;
    }
}
