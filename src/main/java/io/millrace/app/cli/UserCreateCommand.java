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

final class UserCreateCommand implements Subcommand {
    static final CommandOption EMAIL = new CommandOption("--email", "ADDRESS", "e-mail address for signing in");

    private static final CommandOption FIRST_NAME = new CommandOption("--first-name", "NAME", "first name");
    private static final CommandOption LAST_NAME = new CommandOption("--last-name", "NAME", "last name");
    private static final CommandOption ADMINISTRATOR = CommandOption.flag(
            "--administrator", "makes the user an administrator of the platform; the first user always is");

    /** Help text. A password is not an option: other users of the machine can see the arguments of a command. */
    static final String PASSWORD_IS_TYPED = """
            The password is typed, or is the first line of the standard input. With an embedded database the server must be
            stopped; an external one may be in use.""";

    @Override
    public String name() {
        return "user create";
    }

    @Override
    public String summary() {
        return "creates an account in the database; the first one also creates the platform";
    }

    @Override
    public String description() {
        return PASSWORD_IS_TYPED;
    }

    @Override
    public List<CommandOption> options() {
        return List.of(EMAIL, FIRST_NAME, LAST_NAME, ADMINISTRATOR);
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        var given = Json.object()
                .put("email", words.required(EMAIL))
                .put("firstName", words.required(FIRST_NAME))
                .put("lastName", words.required(LAST_NAME))
                .put("administrator", words.has(ADMINISTRATOR))
                .put("password", typedPassword(terminal));
        var wanted = OperatorAccounts.NewAccount.read(given);
        var config = Config.load(terminal.environment(), terminal.settings());
        var made = OfflineServer.use(
                config, terminal.clock(), true, server -> server.accounts().create(wanted));
        terminal.out()
                .println(
                        words.isJson()
                                ? made.toString()
                                : "The account of " + wanted.email() + " is created, as "
                                        + made.get("platformRole").textValue() + ".");
        return ExitStatus.OK;
    }

    static String typedPassword(Terminal terminal) {
        terminal.err().print("Password: ");
        terminal.err().flush();
        var typed = terminal.typedSecret().get();
        terminal.err().println();
        return typed.orElse("");
    }
}
