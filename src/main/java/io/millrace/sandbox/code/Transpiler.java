package io.millrace.sandbox.code;

import io.millrace.sandbox.isolation.FileGrants;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.isolation.ProcessPurpose;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Turns TypeScript or JavaScript into a CommonJS body with a short run of esbuild: text in, text out, no files.
 *
 * <p>The source is untrusted here already, and some sources of half a megabyte make esbuild want gigabytes and
 * minutes: the shell bounds its memory and processor time. Blocks; called on a worker thread only.
 */
final class Transpiler {
    private static final int EXIT_NOT_EXECUTABLE = 126;
    private static final int EXIT_NOT_FOUND = 127;
    /** May be the fault of a host that is short of memory. */
    static final String TOO_COMPLEX = "the source is too complex to be compiled";

    private static final Outcome EXHAUSTED = new Outcome.Refused(TOO_COMPLEX);
    /**
     * Address space in KiB, and processor seconds. The Go runtime reserves up to 1.2 GB at its start without using
     * them, so less than this would fail now and then.
     */
    private static final String BOUNDED = "ulimit -v 1600000; ulimit -t 10; exec \"$0\" \"$@\"";

    /** The oldest release of Node.js that is used; a built-in module is left where it is. */
    private static final List<String> BUNDLED = List.of(
            "--bundle",
            "--platform=node",
            "--format=cjs",
            "--target=node20",
            "--supported:dynamic-import=false",
            "--legal-comments=none",
            "--sources-content=false",
            "--sourcemap=inline");

    /** First line of a message, the place below it, and the rest. */
    private static final Pattern MESSAGE = Pattern.compile(
            "\\[ERROR] (?<text>.*?)\\R\\s*(?:code\\.ts:(?<line>\\d+):(?<column>\\d+):)?", Pattern.DOTALL);

    private static final String NATIVE_CODE = "loader is configured for \".node\" files";

    private final Path directory;
    private final Isolation isolation;
    private Optional<Path> binary = Optional.empty();
    private boolean unpacked;

    Transpiler(Path directory, Isolation isolation) {
        this.directory = directory.toAbsolutePath();
        this.isolation = isolation;
    }

    /** What became of a source. */
    sealed interface Outcome {
        record Transpiled(String javaScript) implements Outcome {}

        record Refused(String message) implements Outcome {}

        /** esbuild does not run on this host. */
        record Unavailable(String reason) implements Outcome {}
    }

    Outcome transpile(String source) throws IOException, InterruptedException {
        return twiceIfExhausted(source, List.of("--format=cjs", "--target=es2023"), directory, List.of());
    }

    /** As {@link #transpile}, but whatever only Node.js has is marked in the result, where it is not the source's own. */
    Outcome mark(String source) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of("--format=cjs", "--target=es2023"));
        options.addAll(NodeNeeds.marks());
        return twiceIfExhausted(source, options, directory, List.of());
    }

    /**
     * One file for Node.js, with its source map at its end.
     *
     * @param folder where packages are looked for; nothing else is read
     * @param outside packages that stay out of the file; it finds them beside itself when it runs
     */
    Outcome bundle(String source, Path folder, Collection<String> outside) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(BUNDLED);
        outside.forEach(name -> options.add("--external:" + name));
        return twiceIfExhausted(source, options, folder, List.of(folder));
    }

    private Outcome twiceIfExhausted(String source, List<String> options, Path folder, List<Path> readable)
            throws IOException, InterruptedException {
        Outcome outcome = once(source, options, folder, readable);
        // A host short of memory breaks honest sources too, for a moment.
        return outcome.equals(EXHAUSTED) ? once(source, options, folder, readable) : outcome;
    }

    private Outcome once(String source, List<String> options, Path folder, List<Path> readable)
            throws IOException, InterruptedException {
        Optional<Path> executable = executable();
        if (executable.isEmpty()) {
            return new Outcome.Unavailable("this build holds no esbuild for this platform");
        }
        FileGrants grants = new FileGrants(readable, List.of(executable.get()), List.of());
        ProcessBuilder builder = new ProcessBuilder(
                        isolation.command(ProcessPurpose.CODE, grants, command(executable.get(), options)))
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
            case 1 -> new Outcome.Refused(explained(message(output)));
            case EXIT_NOT_EXECUTABLE, EXIT_NOT_FOUND -> new Outcome.Unavailable(output.strip());
            default -> EXHAUSTED;
        };
    }

    private synchronized Optional<Path> executable() throws IOException {
        if (!unpacked) {
            isolation.open(ProcessPurpose.CODE, directory);
            binary = EsbuildBinary.unpack(directory);
            unpacked = true;
        }
        return binary;
    }

    private static List<String> command(Path executable, List<String> options) {
        List<String> words = new ArrayList<>(List.of(
                "/bin/sh",
                "-c",
                BOUNDED,
                executable.toAbsolutePath().toString(),
                "--loader=ts",
                "--tsconfig-raw={}",
                "--sourcefile=code.ts",
                "--charset=utf8",
                "--log-limit=1",
                "--log-level=error",
                "--color=false"));
        words.addAll(options);
        return words;
    }

    /** All input is read before any output comes, so one thread can do both. Says whether all was taken. */
    private static boolean write(Process process, String source) {
        try (OutputStream in = process.getOutputStream()) {
            in.write(source.getBytes(StandardCharsets.UTF_8));
            return true;
        } catch (IOException endedEarly) {
            // The exit code and the output say why it ended; the broken pipe adds nothing.
            return false;
        }
    }

    /** Native code has a way in, which the compiler knows nothing of. */
    private static String explained(String message) {
        return message.contains(NATIVE_CODE)
                ? message + "; native code is loaded only of packages that AP_NODE_NATIVE_PACKAGES names"
                : message;
    }

    /** "text (line:column)", of the first error. */
    private static String message(String output) {
        Matcher matcher = MESSAGE.matcher(output);
        if (!matcher.find()) {
            return output.strip();
        }
        String text = matcher.group("text").strip();
        return matcher.group("line") == null
                ? text
                : text + " (line " + matcher.group("line") + ", column " + matcher.group("column") + ")";
    }
}
