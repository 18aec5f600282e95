package io.millrace.app.cli;

import io.millrace.app.FetchedBackup;
import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import io.millrace.base.backup.Backup;
import io.millrace.base.config.Config;
import java.nio.file.Path;
import java.util.List;

final class BackupVerifyCommand implements Subcommand {
    static final CommandOption FROM = new CommandOption(
            "--from", "FILE", "file written by backup, or s3://BUCKET/KEY; for s3://BUCKET/PREFIX/ the newest one");

    @Override
    public String name() {
        return "backup verify";
    }

    @Override
    public String summary() {
        return "reads a backup and verifies counts and checksums";
    }

    @Override
    public List<CommandOption> options() {
        return List.of(FROM, BackupCommand.KEY_FILE);
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        var key = BackupCommand.keyOf(words);
        var from = words.required(FROM);
        var found = FetchedBackup.isInBucket(from)
                ? FetchedBackup.use(from, config(terminal), terminal.clock(), file -> Backup.check(file, key))
                : Backup.check(Path.of(from), key);
        terminal.out()
                .println(
                        words.isJson()
                                ? found.toJson().toString()
                                : found.file() + " is complete: "
                                        + found.counts().rows() + " rows of "
                                        + found.counts().tables() + " tables, of " + found.created());
        return ExitStatus.OK;
    }

    private static Config config(Terminal terminal) {
        return Config.load(terminal.environment(), terminal.settings());
    }
}
