package io.millrace.sandbox.code.compiler;

import io.millrace.sandbox.code.compiler.Transpiler.Outcome;
import io.millrace.sandbox.isolation.FileGrants;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.isolation.ProcessLimits;
import io.millrace.sandbox.isolation.ProcessPurpose;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * One run of esbuild, with access to its executable and the granted files only. The source is untrusted: some sources of 0.5 MB
 * make esbuild use gigabytes and minutes, so its memory and processor time are bounded.
 *
 * @param options besides those of every run
 * @param folder working directory of the process
 * @param readable files that it may read
 * @param writable folders that it may write to
 */
record EsbuildRun(Path executable, List<String> options, Path folder, List<Path> readable, List<Path> writable) {
    private static final int EXIT_NOT_EXECUTABLE = 126;
    private static final int EXIT_NOT_FOUND = 127;

    /**
     * The Go runtime reserves up to 1.2 GB of address space at its start without using it, so a lower limit fails
     * occasionally.
     */
    private static final long ADDRESS_BYTES_MAX = 1_600_000L << 10;

    private static final long PROCESSOR_SECONDS_MAX = 10;
    private static final long FILE_BYTES_MAX = 64L << 20;
    private static final long OPEN_FILES_MAX = 256;

    private static final ProcessLimits LIMITS = new ProcessLimits(
            OptionalLong.of(ADDRESS_BYTES_MAX),
            OptionalLong.of(PROCESSOR_SECONDS_MAX),
            OptionalLong.of(FILE_BYTES_MAX),
            OptionalLong.of(OPEN_FILES_MAX));

    private static final List<String> ALWAYS = List.of(
            "--loader=ts",
            "--tsconfig-raw={}",
            "--sourcefile=code.ts",
            "--charset=utf8",
            "--log-limit=1",
            "--log-level=error",
            "--color=false");

    /** Blocks until the process has ended. */
    Outcome on(String source, Isolation isolation) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(executable.toAbsolutePath().toString()));
        words.addAll(ALWAYS);
        words.addAll(options);
        FileGrants grants = new FileGrants(readable, List.of(executable), writable);
        ProcessBuilder builder = new ProcessBuilder(isolation.command(ProcessPurpose.COMPILER, grants, LIMITS, words))
                .directory(folder.toFile())
                .redirectErrorStream(true);
        // The server's environment holds passwords and keys.
        builder.environment().clear();
        Process process = builder.start();
        boolean taken;
        String output;
        int exit;
        try {
            taken = write(process, source);
            output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            exit = process.waitFor();
        } finally {
            process.destroyForcibly();
        }
        if (exit == 0 && taken) {
            return new Outcome.Transpiled(output);
        }
        return switch (exit) {
            case 1 -> new Outcome.Refused(CompilerMessage.of(output));
            case EXIT_NOT_EXECUTABLE, EXIT_NOT_FOUND -> new Outcome.Unavailable("esbuild cannot be run here");
            default -> Transpiler.EXHAUSTED;
        };
    }

    /**
     * Writes the source; true if all of it was read. esbuild reads all input before it writes output, so one thread can
     * do both.
     */
    private static boolean write(Process process, String source) {
        try (OutputStream in = process.getOutputStream()) {
            in.write(source.getBytes(StandardCharsets.UTF_8));
            return true;
        } catch (IOException endedEarly) {
            // The exit code and the output give the reason; the broken pipe adds nothing.
            return false;
        }
    }
}
