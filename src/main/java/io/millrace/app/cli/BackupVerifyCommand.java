package io.millrace.app.cli;

import io.millrace.base.backup.Backup;
import java.nio.file.Path;
import java.util.List;

/** Looks through a backup, without any database. */
final class BackupVerifyCommand implements Subcommand {
    static final CommandOption FROM = new CommandOption("--from", "FILE", "file that backup has made");

    @Override
    public String name() {
        return "backup verify";
    }

    @Override
    public String summary() {
        return "reads a whole backup, and compares counts and checksums";
    }

    @Override
    public List<CommandOption> options() {
        return List.of(FROM, BackupCommand.KEY_FILE);
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        var found = Backup.check(Path.of(words.required(FROM)), BackupCommand.keyOf(words));
        terminal.out()
                .println(
                        words.isJson()
                                ? found.toJson().toString()
                                : found.file() + " is whole: " + found.rows() + " rows of " + found.tables()
                                        + " tables, of " + found.created());
        return ExitStatus.OK;
    }
}
