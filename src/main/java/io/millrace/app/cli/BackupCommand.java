package io.millrace.app.cli;

import io.millrace.app.Server;
import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import io.millrace.base.backup.Backup;
import io.millrace.base.backup.BackupKey;
import io.millrace.base.config.Config;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

final class BackupCommand implements Subcommand {
    static final CommandOption KEY_FILE = new CommandOption(
            "--key-file", "FILE", "key file of 64 hexadecimal characters; encrypts or decrypts the backup");

    private static final CommandOption TO = new CommandOption("--to", "FILE", "file to write; it must not exist");

    @Override
    public String name() {
        return "backup";
    }

    @Override
    public String summary() {
        return "writes all data of the server to one file, whether it runs or not";
    }

    @Override
    public String description() {
        return """
                The file has every row of one moment, and the secrets that the server keeps in its data directory: who has it
                can read all secrets unless it is encrypted. Secrets that are given as settings, and objects in a bucket, are not
                in it. The file has its name when it is whole and has been read through.""";
    }

    @Override
    public List<CommandOption> options() {
        return List.of(TO, KEY_FILE);
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        var file = Path.of(words.required(TO));
        var key = keyOf(words);
        var config = Config.load(terminal.environment(), terminal.settings());
        var made = new Backup(config, Server.VERSION, terminal.clock()).to(file, key);
        if (words.isJson()) {
            terminal.out().println(made.toJson());
        } else {
            terminal.out()
                    .println(made.file() + ": " + made.counts().rows() + " rows of "
                            + made.counts().tables() + " tables, "
                            + made.counts().bytes() + " bytes" + (made.isEncrypted() ? ", encrypted" : ""));
            if (made.hasSecrets() && !made.isEncrypted()) {
                terminal.err().println("warning: the file contains the server's secrets and is not encrypted");
            }
            if (!made.hasSecrets()) {
                terminal.err()
                        .println(
                                "warning: the server's secrets are settings and not in the file: back them up separately");
            }
        }
        return ExitStatus.OK;
    }

    static Optional<BackupKey> keyOf(CommandWords words) {
        return words.value(KEY_FILE).map(Path::of).map(BackupKey::read);
    }
}
