package io.millrace.app.cli;

import io.millrace.app.FetchedBackup;
import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import io.millrace.app.cli.command.UsageException;
import io.millrace.base.backup.BackupKey;
import io.millrace.base.backup.PointInTimeRestore;
import io.millrace.base.backup.Restore;
import io.millrace.base.config.Config;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

final class RestoreCommand implements Subcommand {
    private static final CommandOption AT = new CommandOption(
            "--at",
            "TIME",
            "such as 2026-11-25T21:30:00Z, or latest: restores the state of that moment from the log of AP_BACKUP_WAL in the folder --from");

    @Override
    public String name() {
        return "restore";
    }

    @Override
    public String summary() {
        return "restores a backup into a data directory without a database, or into an empty external database";
    }

    @Override
    public String description() {
        return """
                The settings name the place: AP_DATA_DIR, or AP_POSTGRES_URL, or AP_POSTGRES_HOST. A backup of an embedded
                database goes into an external one, and back. What is loaded is compared with the backup before a server can
                see it; a restore that is killed leaves the place empty, and can be repeated. The server's secrets go into
                AP_DATA_DIR. A backup of an older release is brought up to date by the next start of the server.

                With --at, the place is a data directory, and --from the folder of the backups: the newest copy of before is
                taken, and the log replayed up to that moment. Every table is read through before a server can see it.""";
    }

    @Override
    public List<CommandOption> options() {
        return List.of(BackupVerifyCommand.FROM, BackupCommand.KEY_FILE, AT);
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        var key = BackupCommand.keyOf(words);
        var from = words.required(BackupVerifyCommand.FROM);
        var config = Config.load(terminal.environment(), terminal.settings());
        if (words.has(AT)) {
            return at(words.required(AT), Path.of(from), key, config, words, terminal);
        }
        var restore = new Restore(config);
        var restored = FetchedBackup.isInBucket(from)
                ? FetchedBackup.use(from, config, terminal.clock(), file -> restore.from(file, key))
                : restore.from(Path.of(from), key);
        terminal.out()
                .println(
                        words.isJson()
                                ? restored.toJson().toString()
                                : restored.counts().rows() + " rows of "
                                        + restored.counts().tables() + " tables are restored to their state of "
                                        + restored.created());
        return ExitStatus.OK;
    }

    private static ExitStatus at(
            String time, Path folder, Optional<BackupKey> key, Config config, CommandWords words, Terminal terminal) {
        var restored = new PointInTimeRestore(config).from(folder, moment(time), key);
        terminal.out()
                .println(
                        words.isJson()
                                ? restored.toJson().toString()
                                : restored.rows() + " rows of " + restored.tables()
                                        + " tables are restored; the last change was made at " + restored.lastChange());
        return ExitStatus.OK;
    }

    private static Optional<Instant> moment(String time) {
        try {
            return time.equals("latest") ? Optional.empty() : Optional.of(Instant.parse(time));
        } catch (DateTimeParseException malformed) {
            throw new UsageException("--at: expected a time such as 2026-11-25T21:30:00Z, or latest, found " + time);
        }
    }
}
