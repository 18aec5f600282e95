package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import io.millrace.app.cli.command.UsageException;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

public final class UserDataCommand implements Subcommand {
    static final CommandOption USER = new CommandOption("--user", "ID", "id of the user, as /api/v1/users lists it");

    private static final CommandOption TO = new CommandOption("--to", "FILE", "file to write; it must not exist");

    @Override
    public String name() {
        return "user data";
    }

    @Override
    public String summary() {
        return "writes the personal data of a user to a JSON file that only its owner can read";
    }

    @Override
    public List<CommandOption> options() {
        return List.of(RemoteServer.SERVER, RemoteServer.KEY_FILE, USER, TO);
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        var file = Path.of(words.required(TO));
        var data = RemoteServer.of(words, terminal).get(pathOf(words));
        write(file, data);
        terminal.out()
                .println(
                        words.isJson()
                                ? Json.object()
                                        .put("file", file.toString())
                                        .put("sections", data.size() - 1)
                                        .toString()
                                : file + " is written");
        return ExitStatus.OK;
    }

    /** Writes the complete data or no file: the data is in memory before the file is created. */
    private static void write(Path file, ObjectNode data) {
        if (Files.exists(file)) {
            throw RemoteException.data(file + " already exists: choose another name");
        }
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(file, DeepJson.lines(data));
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write " + file + ": " + failure.getMessage(), failure);
        }
    }

    static String pathOf(CommandWords words) {
        var user = words.required(USER);
        if (!Ids.PATTERN.matcher(user).matches()) {
            throw new UsageException("--user: expected an id of 21 letters and digits, found " + user);
        }
        return "/api/v1/users/" + user + "/data";
    }
}
