package io.millrace.base.persistence.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A short helper program of the embedded server: runs to its end within a deadline, in a clean environment.
 *
 * @param status exit status
 * @param output its standard output and standard error
 */
record Command(int status, String output) {
    private static final int OUTPUT_CHARACTERS_MAX = 4000;

    static Command run(List<String> words, Duration deadline) throws IOException {
        return run(words, "", deadline);
    }

    static Command run(List<String> words, String input, Duration deadline) throws IOException {
        var output = Files.createTempFile("millrace-", ".out");
        try {
            var process = prepare(words)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try (var stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            } catch (IOException ended) {
                // A program that ends without reading breaks the pipe; its status is more informative than this
                // exception.
                if (!input.isEmpty() && process.isAlive()) {
                    throw ended;
                }
            }
            if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new IOException(program(words) + " did not end within " + deadline.toSeconds() + " s");
            }
            return new Command(process.exitValue(), tail(output));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + program(words), interrupted);
        } finally {
            Files.delete(output);
        }
    }

    /**
     * A process in a clean environment: the server's own variables hold secrets, and PostgreSQL reads PG* variables. It
     * starts in the root directory, because the user it may switch to might not be allowed into the current one.
     */
    static ProcessBuilder prepare(List<String> words) {
        var builder = new ProcessBuilder(words).directory(Path.of("/").toFile());
        var path = builder.environment().getOrDefault("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        builder.environment().clear();
        builder.environment().put("PATH", path);
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("TZ", "UTC");
        return builder;
    }

    boolean succeeded() {
        return status == 0;
    }

    private static String program(List<String> words) {
        return Path.of(words.getFirst()).getFileName().toString();
    }

    private static String tail(Path output) throws IOException {
        var text = Files.readString(output, StandardCharsets.UTF_8).strip();
        return text.length() <= OUTPUT_CHARACTERS_MAX ? text : text.substring(text.length() - OUTPUT_CHARACTERS_MAX);
    }
}
