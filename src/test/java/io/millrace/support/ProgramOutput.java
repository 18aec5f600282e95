package io.millrace.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Reads the output of a started program. */
public final class ProgramOutput {
    private ProgramOutput() {}

    /** Waits for the line that matches the pattern, and returns its first group; further output is discarded. */
    public static String await(Process process, Pattern pattern) throws IOException {
        var output = new BufferedReader(process.inputReader(StandardCharsets.UTF_8));
        for (var line = output.readLine(); line != null; line = output.readLine()) {
            var match = pattern.matcher(line);
            if (match.find()) {
                Thread.ofVirtual().start(() -> output.lines().forEach(_ -> {}));
                return match.group(1);
            }
        }
        throw new AssertionError("expected a line with " + pattern + ", but the program ended");
    }
}
