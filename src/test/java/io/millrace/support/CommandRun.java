package io.millrace.support;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.app.cli.CommandLine;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Terminal;
import io.millrace.base.core.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** Output and exit status of a CLI command. */
public record CommandRun(ExitStatus status, String out, String err) {
    private static final Path NO_FILE = Path.of("there-is-no-such-file");

    /** Runs the command line in this process, with these settings and no others. */
    public static CommandRun of(Map<String, String> settings, String... words) {
        return of(settings, NO_FILE, "", words);
    }

    /** Runs the command line with a file of settings, and with typed input. */
    public static CommandRun of(Map<String, String> settings, Path file, String typed, String... words) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var terminal = new Terminal(
                () -> typed.lines().findFirst(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                settings,
                file,
                InstantSource.system());
        var status = new CommandLine().perform(List.of(words), terminal);
        return new CommandRun(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** Creates the account of ada@example.com. */
    public static CommandRun createAda(Map<String, String> settings) {
        return of(
                settings,
                NO_FILE,
                "correct horse",
                "user",
                "create",
                "--email=ada@example.com",
                "--first-name=Ada",
                "--last-name=Miller");
    }

    /** The one JSON object in the output. */
    public JsonNode json() {
        try {
            return Json.parse(out);
        } catch (JsonProcessingException malformed) {
            throw new AssertionError("expected one JSON object, found " + out + err, malformed);
        }
    }
}
