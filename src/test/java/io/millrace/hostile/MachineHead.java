package io.millrace.hostile;

import io.millrace.sandbox.isolation.Isolation;
import io.millrace.support.TestFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;

/** Description of the machine: a case that holds on it may fall on a machine with less isolation. */
final class MachineHead {
    private static final int ANSWER_SECONDS_MAX = 10;

    private MachineHead() {}

    static String text() throws IOException, InterruptedException {
        var folder = Files.createTempDirectory("hostile-isolation");
        try {
            var means = new Isolation(Isolation.Settings.of(folder)).inForce();
            return """
                    machine    %s %s, %d processors, user %s
                    isolation  %s (Landlock level %d, %s)
                    programs   Java %s, Node.js %s, %s
                    """.formatted(
                            System.getProperty("os.name"),
                            System.getProperty("os.version"),
                            Runtime.getRuntime().availableProcessors(),
                            answer("id", "-un"),
                            means.description(),
                            means.landlockLevel(),
                            means.isFiltered() ? "filter in force" : "no filter",
                            Runtime.version(),
                            answer("node", "--version"),
                            answer("python3", "--version"));
        } finally {
            TestFolder.remove(folder);
        }
    }

    private static String answer(String... command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException absent) {
            return "no " + command[0];
        }
        var isOver = process.waitFor(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
        if (!isOver) {
            process.destroyForcibly();
            return command[0] + " does not answer";
        }
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }
}
