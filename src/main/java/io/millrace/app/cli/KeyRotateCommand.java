package io.millrace.app.cli;

import io.millrace.app.OfflineServer;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import io.millrace.base.config.Config;

final class KeyRotateCommand implements Subcommand {
    @Override
    public String name() {
        return "key rotate";
    }

    @Override
    public String summary() {
        return "creates a new encryption key and re-encrypts every secret in the database with it";
    }

    @Override
    public String description() {
        return """
                A key that AP_ENCRYPTION_KEY gives stays: secrets of keys in AP_KNOWN_ENCRYPTION_KEYS are sealed with it. No
                server may run on the database; one that runs does the same when it is asked
                (POST /api/v1/encryption-key/rotate).""";
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        var config = Config.load(terminal.environment(), terminal.settings());
        var state = OfflineServer.use(
                config, terminal.clock(), false, server -> server.sealing().rotateOffline());
        terminal.out()
                .println(
                        words.isJson()
                                ? state.toJson().toString()
                                : "Secrets are encrypted with the key " + state.keyId() + ".");
        return ExitStatus.OK;
    }
}
