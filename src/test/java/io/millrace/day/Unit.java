package io.millrace.day;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Commands of the systemd unit, for hosts without systemd. */
record Unit(List<String> before, List<String> server) {
    private static final String PROGRAM = "/usr/local/bin/millrace";

    static Unit read(Path file) throws IOException {
        var lines = Files.readAllLines(file);
        return new Unit(words(lines, "ExecStartPre="), words(lines, "ExecStart="));
    }

    /** Arguments after the program, which is installed at another path. */
    private static List<String> words(List<String> lines, String key) {
        var command = lines.stream()
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(key.length()).strip())
                .findFirst()
                .orElseThrow(() -> new AssertionError("expected a line " + key + " in the unit"));
        var words = List.of(command.split(" +"));
        if (!words.getFirst().equals(PROGRAM)) {
            throw new AssertionError("expected the unit to start " + PROGRAM + ", found " + command);
        }
        return words.subList(1, words.size());
    }
}
