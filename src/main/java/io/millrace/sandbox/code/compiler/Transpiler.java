package io.millrace.sandbox.code.compiler;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.FolderTree;
import io.millrace.base.core.Json;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.isolation.ProcessPurpose;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** Turns TypeScript or JavaScript into a CommonJS body with short runs of esbuild. Blocks; called on worker threads only. */
final class Transpiler {
    /** May be caused by a lack of memory on the host. */
    static final String TOO_COMPLEX = "the source is too complex to be compiled";

    static final Outcome EXHAUSTED = new Outcome.Refused(TOO_COMPLEX);

    private static final List<String> FOR_WORKERS = List.of("--format=cjs", "--target=es2023");

    /** The map has positions and not the source, which the server stores with its flow. */
    private static final List<String> MAPPED = List.of("--sources-content=false", "--sourcemap=inline");

    /** Options for the oldest supported release of Node.js. */
    private static final List<String> FOR_NODE = List.of(
            "--platform=node",
            "--format=cjs",
            "--target=node20",
            "--supported:dynamic-import=false",
            "--legal-comments=none");

    private static final String REPORT = "report.json";
    private static final int REPORT_BYTES_MAX = 32 << 20;

    private final Path directory;
    private final Isolation isolation;
    private Optional<Path> binary = Optional.empty();
    private boolean unpacked;

    Transpiler(Path directory, Isolation isolation) {
        this.directory = directory.toAbsolutePath();
        this.isolation = isolation;
    }

    sealed interface Outcome {
        record Transpiled(String javaScript) implements Outcome {}

        record Refused(String message) implements Outcome {}

        record Unavailable(String reason) implements Outcome {}
    }

    /** One script for a worker, with its source map at its end. */
    Outcome transpile(String source) throws IOException, InterruptedException {
        return run(source, mapped(FOR_WORKERS), directory, List.of(), List.of());
    }

    /** Like {@link #transpile}, but marks features of Node.js in the result, unless the source declares the name itself. */
    Outcome mark(String source) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(FOR_WORKERS);
        options.addAll(NodeNeeds.marks());
        return run(source, options, directory, List.of(), List.of());
    }

    /** One file for Node.js that may import its modules, with its source map at its end. */
    Outcome forNode(String source) throws IOException, InterruptedException {
        Optional<Outcome> refusal = refusal(source, List.of());
        // Not a bundle, so the compiler resolves no files.
        return refusal.isPresent() ? refusal.get() : run(source, mapped(FOR_NODE), directory, List.of(), List.of());
    }

    /**
     * One file for Node.js with its packages inside and its source map at the end.
     *
     * @param folder with the packages; nothing else is read
     * @param packages names that the source may import
     * @param outside packages that stay separate files and are loaded when the program runs
     */
    Outcome bundle(String source, Path folder, Collection<String> packages, Collection<String> outside)
            throws IOException, InterruptedException {
        if (isolation.inForce().landlockLevel() == 0) {
            return new Outcome.Unavailable("packages are compiled only where the kernel keeps the compiler from the"
                    + " files of the host (" + isolation.inForce().description() + ")");
        }
        Optional<Outcome> refusal = refusal(source, packages);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        List<String> options = new ArrayList<>(List.of("--bundle"));
        options.addAll(mapped(FOR_NODE));
        outside.forEach(name -> options.add("--external:" + name));
        return run(source, options, folder, List.of(folder), List.of());
    }

    /**
     * Refusal of a source before its imports are resolved: it does not compile, or it imports a package that is not allowed. The
     * report of a bundle that excludes all packages lists all imports, without those in comments and types.
     */
    private Optional<Outcome> refusal(String source, Collection<String> packages)
            throws IOException, InterruptedException {
        if (executable().isEmpty()) {
            return Optional.of(absent());
        }
        Path folder = directory.resolve("imports-" + UUID.randomUUID());
        isolation.lend(ProcessPurpose.COMPILER, folder);
        try {
            List<String> options = new ArrayList<>(List.of(
                    "--bundle",
                    "--external:*",
                    "--outfile=" + folder.resolve("code.js"),
                    "--metafile=" + folder.resolve(REPORT)));
            options.addAll(FOR_NODE);
            Outcome outcome = run(source, options, folder, List.of(), List.of(folder));
            if (outcome instanceof Outcome.Transpiled) {
                return SourceImports.of(report(folder)).refusal(packages).map(Outcome.Refused::new);
            }
            // All imports are excluded except folders of paths with variable parts: one was missing or not readable.
            return Optional.of(
                    outcome.equals(new Outcome.Refused(CompilerMessage.UNRESOLVED))
                            ? new Outcome.Refused(SourceImports.VARIABLE_PATH)
                            : outcome);
        } finally {
            FolderTree.remove(folder);
        }
    }

    /**
     * Reads the report. The compiler, which is untrusted, could write to the folder: no link is followed, and the size
     * is limited.
     */
    private static JsonNode report(Path folder) throws IOException {
        Path file = folder.resolve(REPORT);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("the compiler wrote no report on the imports of a source");
        }
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            return Json.parse(in.readNBytes(REPORT_BYTES_MAX));
        }
    }

    private Outcome run(String source, List<String> options, Path folder, List<Path> readable, List<Path> writable)
            throws IOException, InterruptedException {
        Optional<Path> executable = executable();
        if (executable.isEmpty()) {
            return absent();
        }
        EsbuildRun run = new EsbuildRun(executable.get(), options, folder, readable, writable);
        Outcome outcome = run.on(source, isolation);
        // A temporary lack of memory on the host breaks valid sources too.
        return outcome.equals(EXHAUSTED) ? run.on(source, isolation) : outcome;
    }

    private static List<String> mapped(List<String> options) {
        return Stream.concat(options.stream(), MAPPED.stream()).toList();
    }

    private static Outcome absent() {
        return new Outcome.Unavailable("this build contains no esbuild for this platform");
    }

    private synchronized Optional<Path> executable() throws IOException {
        if (!unpacked) {
            isolation.open(ProcessPurpose.COMPILER, directory);
            binary = EsbuildBinary.unpack(directory);
            unpacked = true;
        }
        return binary;
    }
}
