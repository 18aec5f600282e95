package io.millrace.app.cli;

import io.millrace.base.backup.Restore;
import io.millrace.base.config.Config;
import java.nio.file.Path;
import java.util.List;

/** Puts a backup into an empty place. */
final class RestoreCommand implements Subcommand {
    @Override
    public String name() {
        return "restore";
    }

    @Override
    public String summary() {
        return "puts a backup into a data directory without a database, or into an empty external database";
    }

    @Override
    public String description() {
        return """
                The settings name the place: AP_DATA_DIR, or AP_POSTGRES_URL, or AP_POSTGRES_HOST. A backup of an embedded
                database goes into an external one, and back. What is loaded is compared with the backup before a server can
                see it; a restore that is killed leaves the place empty, and can be repeated. The server's secrets go into
                AP_DATA_DIR. A backup of an older release is brought up to date by the next start of the server.""";
    }

    @Override
    public List<CommandOption> options() {
        return List.of(BackupVerifyCommand.FROM, BackupCommand.KEY_FILE);
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        var file = Path.of(words.required(BackupVerifyCommand.FROM));
        var key = BackupCommand.keyOf(words);
        var config = Config.load(terminal.environment(), terminal.settings());
        var restored = new Restore(config).from(file, key);
        terminal.out()
                .println(
                        words.isJson()
                                ? restored.toJson().toString()
                                : restored.rows() + " rows of " + restored.tables()
                                        + " tables are restored, as they were at " + restored.created());
        return ExitStatus.OK;
    }
}
