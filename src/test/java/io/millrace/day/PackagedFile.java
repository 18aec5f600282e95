package io.millrace.day;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The packaged file of a build, started as an operator does. */
record PackagedFile(Path path) {
    /** Output and exit status of a command. */
    record Answer(int status, String out, String err) {
        boolean isOk() {
            return status == 0;
        }

        JsonNode json() {
            try {
                return Json.parse(out);
            } catch (JsonProcessingException malformed) {
                throw new AssertionError("expected one JSON object, found " + out + err, malformed);
            }
        }

        /** Values of these fields of the output; the whole output when the command failed. */
        String told(String... fields) {
            if (!isOk()) {
                return ("status " + status + " " + out.strip() + " " + err.strip()).strip();
            }
            return Stream.of(fields)
                    .map(field -> json().path(field).asText() + " " + field)
                    .collect(Collectors.joining(", "));
        }
    }

    /** Runs a command on a data directory, with these settings and no others. */
    Answer run(Path dataDirectory, Map<String, String> settings, String... words) {
        var command = new ArrayList<>(List.of(path.toString()));
        command.addAll(List.of(words));
        try {
            var out = Files.createTempFile("millrace-day-", ".out");
            var err = Files.createTempFile("millrace-day-", ".err");
            var builder = new ProcessBuilder(command)
                    .directory(dataDirectory.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("AP_"));
            builder.environment().putAll(withDirectory(dataDirectory, settings));
            var status = builder.start().waitFor();
            var answer = new Answer(
                    status,
                    Files.readString(out, StandardCharsets.UTF_8),
                    Files.readString(err, StandardCharsets.UTF_8));
            Files.delete(out);
            Files.delete(err);
            return answer;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }

    /** Starts a server; does not wait. */
    ServerProcess start(Path dataDirectory, Map<String, String> settings, List<String> words) {
        var command = new ArrayList<>(List.of(path.toString()));
        command.addAll(words);
        return ServerProcess.start(command, dataDirectory, settings);
    }

    private static Map<String, String> withDirectory(Path dataDirectory, Map<String, String> settings) {
        var all = new HashMap<>(settings);
        all.putIfAbsent("AP_DATA_DIR", dataDirectory.toString());
        return all;
    }
}
