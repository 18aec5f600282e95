package io.millrace.app.cli;

import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import io.millrace.app.cli.command.UsageException;
import io.millrace.app.cli.remote.ExportCommand;
import io.millrace.app.cli.remote.FlowTestCommand;
import io.millrace.app.cli.remote.ImportCommand;
import io.millrace.app.cli.remote.ImportN8nCommand;
import io.millrace.app.cli.remote.PieceOpenApiCommand;
import io.millrace.app.cli.remote.ProjectApplyCommand;
import io.millrace.app.cli.remote.ProjectDriftCommand;
import io.millrace.app.cli.remote.ProjectPlanCommand;
import io.millrace.app.cli.remote.ProjectPullCommand;
import io.millrace.app.cli.remote.RedecideCommand;
import io.millrace.app.cli.remote.RemoteException;
import io.millrace.app.cli.remote.UserDataCommand;
import io.millrace.app.cli.remote.UserEraseCommand;
import io.millrace.base.backup.BackupException;
import io.millrace.base.config.BadSetting;
import io.millrace.base.core.ApiException;
import io.millrace.base.persistence.postgres.DataDirectoryInUseException;
import io.millrace.base.persistence.postgres.PostgresStartException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds the command of a command line, executes it and returns the exit status. The main class starts the server itself: see
 * {@link #startsServer}.
 */
public final class CommandLine {
    private static final String HELP = "help";

    private final List<Subcommand> commands = List.of(
            new RunCommand(),
            new VersionCommand(),
            new ConfigCheckCommand(),
            new ConfigListCommand(),
            new UserCreateCommand(),
            new UserResetPasswordCommand(),
            new UserDataCommand(),
            new UserEraseCommand(),
            new KeyRotateCommand(),
            new BackupCommand(),
            new BackupVerifyCommand(),
            new RestoreCommand(),
            new DoctorCommand(),
            new ExportCommand(),
            new ImportCommand(),
            new ImportN8nCommand(),
            new PieceOpenApiCommand(),
            new ProjectPullCommand(),
            new ProjectPlanCommand(),
            new ProjectApplyCommand(),
            new ProjectDriftCommand(),
            new FlowTestCommand(),
            new RedecideCommand());

    public static boolean startsServer(List<String> words) {
        return words.isEmpty() || words.equals(List.of(RunCommand.NAME));
    }

    List<Subcommand> commands() {
        return commands;
    }

    public ExitStatus perform(List<String> words, Terminal terminal) {
        try {
            return understood(words, terminal);
        } catch (UsageException misunderstood) {
            terminal.err().println(misunderstood.getMessage());
            terminal.err().println("millrace --help lists the commands.");
            return ExitStatus.USAGE;
        } catch (DataDirectoryInUseException inUse) {
            terminal.err().println(inUse.getMessage());
            return ExitStatus.IN_USE;
        } catch (BackupException refused) {
            terminal.err().println(refused.getMessage());
            return ExitStatus.DATA;
        } catch (RemoteException refused) {
            terminal.err().println(refused.getMessage());
            return refused.status();
        } catch (ApiException refused) {
            terminal.err().println(textOf(refused));
            return ApiException.isUnavailable(refused) ? ExitStatus.UNAVAILABLE : ExitStatus.DATA;
        } catch (BadSetting | PostgresStartException refused) {
            terminal.err().println(refused.getMessage());
            return ExitStatus.BAD_SETTING;
        } catch (UncheckedIOException failed) {
            terminal.err().println(failed.getMessage());
            return ExitStatus.FAILED;
        } catch (RuntimeException defect) {
            terminal.err().println("The command failed with an unexpected error:");
            defect.printStackTrace(terminal.err());
            return ExitStatus.FAILED;
        }
    }

    private ExitStatus understood(List<String> words, Terminal terminal) {
        if (asksForHelp(words)) {
            var named = words.stream()
                    .filter(word -> !word.equals(HELP) && !word.equals(CommandOption.HELP.name()))
                    .toList();
            terminal.out().print(named.isEmpty() ? CommandHelp.ofAll(commands) : CommandHelp.of(command(named)));
            return ExitStatus.OK;
        }
        var command = command(words);
        var rest = words.subList(wordsOf(command).size(), words.size());
        return command.perform(CommandWords.read(command, rest), terminal);
    }

    private static String textOf(ApiException refused) {
        return switch (refused.code()) {
            case EXISTING_USER -> "an account with this address exists; user reset-password changes its password";
            case ENTITY_NOT_FOUND -> "no account with this address exists";
            case UNAVAILABLE -> "the database cannot be reached: " + refused.getMessage();
            case STORAGE_UNAVAILABLE ->
                "the bucket refused the request: check AP_S3_ENDPOINT, AP_S3_REGION, the access key and the address";
            default -> refused.getMessage();
        };
    }

    private static boolean asksForHelp(List<String> words) {
        return words.getFirst().equals(HELP) || words.contains(CommandOption.HELP.name());
    }

    private Subcommand command(List<String> words) {
        return commands.stream()
                .filter(command -> startWith(words, wordsOf(command)))
                .max(Comparator.comparingInt(command -> wordsOf(command).size()))
                .orElseThrow(() -> new UsageException("expected a command, found " + String.join(" ", words)));
    }

    private static boolean startWith(List<String> words, List<String> name) {
        return words.size() >= name.size() && words.subList(0, name.size()).equals(name);
    }

    private static List<String> wordsOf(Subcommand command) {
        return Stream.of(command.name().split(" ")).toList();
    }
}
