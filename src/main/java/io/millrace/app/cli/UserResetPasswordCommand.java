package io.millrace.app.cli;

import io.millrace.account.identity.OperatorAccounts;
import io.millrace.app.OfflineServer;
import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import io.millrace.base.config.Config;
import io.millrace.base.core.Json;
import java.util.List;

/** Sets the password of a user, for instance of an administrator who cannot receive mail. */
final class UserResetPasswordCommand implements Subcommand {
    @Override
    public String name() {
        return "user reset-password";
    }

    @Override
    public String summary() {
        return "changes the password of an account and ends its sessions";
    }

    @Override
    public String description() {
        return UserCreateCommand.PASSWORD_IS_TYPED;
    }

    @Override
    public List<CommandOption> options() {
        return List.of(UserCreateCommand.EMAIL);
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        var given = Json.object()
                .put("email", words.required(UserCreateCommand.EMAIL))
                .put("password", UserCreateCommand.typedPassword(terminal));
        var wanted = OperatorAccounts.NewPassword.read(given);
        var config = Config.load(terminal.environment(), terminal.settings());
        var changed = OfflineServer.use(
                config, terminal.clock(), false, server -> server.accounts().resetPassword(wanted));
        terminal.out()
                .println(words.isJson() ? changed.toString() : "The password of " + wanted.email() + " is changed.");
        return ExitStatus.OK;
    }
}
