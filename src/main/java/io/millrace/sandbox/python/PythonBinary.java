package io.millrace.sandbox.python;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The Python of this host: named by a setting, the system's own, or the first on the PATH. The found file may be a script that
 * starts the interpreter, so the interpreter is asked for its path.
 *
 * @param executable absolute path of the interpreter itself
 * @param library folder under which it and its standard library are
 */
record PythonBinary(Path executable, Path library, String version) {
    static final String NOWHERE =
            "Python was not found on this host; code in Python needs python3, release 3.9 or newer";

    private static final int MINOR_MIN = 9;
    private static final long ANSWER_SECONDS_MAX = 10;
    private static final int ANSWER_BYTES_MAX = 4_000;
    private static final Path OF_SYSTEM = Path.of("/usr/bin/python3");
    private static final String QUESTION =
            "import os, sys; print(os.path.realpath(sys.executable)); print(sys.base_prefix);"
                    + " print('%d.%d.%d' % sys.version_info[:3])";

    /** Asks the interpreter; blocks. */
    static PythonBinary find(Optional<Path> named) throws IOException {
        var program = program(named).orElseThrow(() -> new IOException(NOWHERE));
        var lines = answer(program).lines().toList();
        if (lines.size() != 3 || !lines.get(2).matches("3\\.\\d{1,3}\\.\\d{1,3}")) {
            throw new IOException(program + " does not report the path of its interpreter");
        }
        if (Integer.parseInt(lines.get(2).split("\\.", -1)[1]) < MINOR_MIN) {
            throw new IOException(program + " is Python " + lines.get(2) + "; code in Python needs 3.9 or newer");
        }
        return new PythonBinary(Path.of(lines.get(0)), Path.of(lines.get(1)), lines.get(2));
    }

    static boolean isThere(Optional<Path> named) {
        return program(named).isPresent();
    }

    private static Optional<Path> program(Optional<Path> named) {
        if (named.isPresent()) {
            return named.filter(Files::isExecutable);
        }
        var onPath = Stream.of(searchPath().split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "python3").toAbsolutePath());
        return Stream.concat(Stream.of(OF_SYSTEM), onPath)
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static String searchPath() {
        return Optional.ofNullable(System.getenv("PATH")).orElse("");
    }

    private static String answer(Path program) throws IOException {
        var builder = new ProcessBuilder(program.toString(), "-I", "-S", "-c", QUESTION)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        builder.environment().clear();
        builder.environment().put("PATH", searchPath());
        var process = builder.start();
        try {
            var answer = process.getInputStream().readNBytes(ANSWER_BYTES_MAX);
            if (!process.waitFor(ANSWER_SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new IOException(program + " did not respond in time");
            }
            return new String(answer, StandardCharsets.UTF_8);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", stopping);
        } finally {
            process.destroyForcibly();
        }
    }
}
