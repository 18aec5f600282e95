package io.millrace.sandbox.program;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.bus.Bus;
import io.millrace.base.cache.Caches;
import io.millrace.base.core.Json;
import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.code.NativePackages;
import io.millrace.sandbox.code.compiler.CodeCompiler;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.npm.BadPackage;
import io.millrace.sandbox.npm.Dependencies;
import io.millrace.sandbox.npm.PackageManager;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the program of a source once and keeps it in the database: the engine it needs, its packages inside, its compile error. A
 * stored program is available after a restart and on other nodes without the registry.
 */
public final class CodePrograms {
    private static final Logger LOG = LoggerFactory.getLogger(CodePrograms.class);
    private static final long ASK_DEADLINE_MS = 30_000;
    private static final long CHARACTERS_MAX = 32L << 20;

    /** Programs that a start reads: more of them would delay other work. */
    private static final int EXPECTED_MAX = 50;

    private static final Duration UNUSED_KEPT_FOR = Duration.ofHours(6);

    private final Bus bus;
    private final CodeCompiler compiler;
    private final WorkerCode workers;
    private final PythonCode python;
    private final PackagedCode packaged;
    private final DependencyRules rules;
    private final Cache<ProgramKey, CodeProgram> known = Caches.counted("code.stored")
            .maximumWeight(CHARACTERS_MAX)
            .weigher((ProgramKey _, CodeProgram program) -> program.length() + 1)
            .expireAfterAccess(UNUSED_KEPT_FOR)
            .build();

    /**
     * Dependencies of the service.
     *
     * @param directory whose siblings hold unpacked packages while a program is made
     */
    public record Parts(
            Vertx vertx,
            Bus bus,
            Engines engines,
            PackageManager packages,
            Isolation isolation,
            DependencyRules rules,
            Path directory,
            InstantSource clock) {
        public record Engines(CodeCompiler compiler, WorkerCode workers, PythonCode python) {}
    }

    public CodePrograms(Parts parts) {
        bus = parts.bus();
        compiler = parts.engines().compiler();
        workers = parts.engines().workers();
        python = parts.engines().python();
        packaged = new PackagedCode(parts);
        rules = parts.rules();
    }

    /**
     * Program of a source for a run. Installs nothing: a source whose packages were not installed gives a program that reports this
     * when it runs.
     */
    public Future<CodeProgram> find(String platformId, CodeSource source) {
        return find(platformId, source, false);
    }

    /**
     * Program of a source, after the installation of its packages and the start of a worker, if one is to run it: otherwise the
     * first call would wait for the start of a virtual machine. Fails with {@link BadPackage}.
     */
    public Future<CodeProgram> prepare(String platformId, CodeSource source) {
        var key = keyOf(platformId, source);
        return program(List.of(key), source, true).onSuccess(workers::warmUp);
    }

    /**
     * Program of a source: the stored one, else as {@link #prepare}. Unlike a preparation, it keeps a program that was stored
     * before an operator allowed native code for its packages.
     */
    public Future<CodeProgram> findOrPrepare(String platformId, CodeSource source) {
        return find(platformId, source, true).onSuccess(workers::warmUp);
    }

    /** Starts a worker in the background after the start of the server, if one of the first stored programs needs it. */
    public void expect() {
        bus.ask(new StoredPrograms.FindOfWorkers(EXPECTED_MAX), ASK_DEADLINE_MS)
                .onSuccess(found ->
                        found.stream().filter(workers::needsWorker).findFirst().ifPresent(workers::warmUp))
                .onFailure(cause -> LOG.info("the first call of code starts a worker: {}", cause.getMessage()));
    }

    public Future<Buffer> nativeFiles(NativePackages packages) {
        var key = new ProgramKey(packages.platformId(), packages.hash());
        return bus.ask(new StoredPrograms.FindNativeFiles(key), ASK_DEADLINE_MS)
                .map(found -> found.orElseThrow(
                        () -> new IllegalStateException("the files of " + packages.names() + " no longer exist")));
    }

    /** Report on a source; stores no program and installs nothing. */
    public Future<CodeReport> report(String platformId, CodeSource source) {
        List<String> wanted;
        try {
            wanted = listed(dependencies(source.packageJson()));
        } catch (JsonProcessingException malformed) {
            var broken = CodeProgram.broken("packageJson is not valid JSON", List.of());
            return Future.succeededFuture(CodeReport.of(CodeReport.Engine.WORKER, broken, List.of(), 0));
        }
        return engine(source, wanted)
                .compose(engine -> bus.ask(new StoredPrograms.Find(keyOf(platformId, source)), ASK_DEADLINE_MS)
                        .compose(found -> found.map(Future::succeededFuture).orElseGet(() -> tried(source)))
                        .map(stored -> CodeReport.of(engine, stored.program(), wanted, stored.installMs())));
    }

    private Future<CodeReport.Engine> engine(CodeSource source, List<String> wanted) {
        if (source.language() == CodeSource.Language.PYTHON) {
            return Future.succeededFuture(CodeReport.Engine.PYTHON);
        }
        return (wanted.isEmpty() ? compiler.needsNode(source.code()) : Future.succeededFuture(true))
                .map(needsNode -> needsNode ? CodeReport.Engine.NODE : CodeReport.Engine.WORKER);
    }

    /** A program that is not stored. */
    private Future<StoredProgram> tried(CodeSource source) {
        var program = source.language() == CodeSource.Language.PYTHON
                ? python.compile(source)
                        .recover(failure -> Future.succeededFuture(
                                CodeProgram.broken(String.valueOf(failure.getMessage()), List.of())))
                : compiler.compile(source.code(), "{}");
        return program.map(StoredProgram::plain);
    }

    private Future<CodeProgram> find(String platformId, CodeSource source, boolean installs) {
        var plain = ProgramKey.of(platformId, source);
        var key = keyOf(platformId, source);
        // A program published before an operator allowed native code for its packages runs as published.
        return program(key.equals(plain) ? List.of(key) : List.of(key, plain), source, installs);
    }

    /** The stored program of the first key that has one, else a new program of the first key. */
    private Future<CodeProgram> program(List<ProgramKey> keys, CodeSource source, boolean installs) {
        return stored(keys)
                .compose(found ->
                        found.map(Future::succeededFuture).orElseGet(() -> made(keys.getFirst(), source, installs)));
    }

    private Future<Optional<CodeProgram>> stored(List<ProgramKey> keys) {
        return stored(keys.getFirst())
                .compose(found -> found.isPresent() || keys.size() == 1
                        ? Future.succeededFuture(found)
                        : stored(keys.subList(1, keys.size())));
    }

    private Future<Optional<CodeProgram>> stored(ProgramKey key) {
        var remembered = known.getIfPresent(key);
        return remembered != null
                ? Future.succeededFuture(Optional.of(remembered))
                : bus.ask(new StoredPrograms.Find(key), ASK_DEADLINE_MS)
                        .map(found -> found.map(StoredProgram::program))
                        .onSuccess(found -> found.ifPresent(program -> known.put(key, program)));
    }

    /** Key of the program that publishing the source would make now. */
    private ProgramKey keyOf(String platformId, CodeSource source) {
        var key = ProgramKey.of(platformId, source);
        try {
            return rules.nativeNames().isEmpty()
                    ? key
                    : key.beside(rules.nativeAmong(platformId, names(dependencies(source.packageJson()))));
        } catch (JsonProcessingException malformed) {
            // The program reports the error when it runs.
            return key;
        }
    }

    private Future<CodeProgram> made(ProgramKey key, CodeSource source, boolean installs) {
        return switch (source.language()) {
            case PYTHON -> python.compile(source).compose(program -> kept(key, StoredProgram.plain(program)));
            case JAVASCRIPT -> made(key, source.code(), source.packageJson(), installs);
        };
    }

    private Future<CodeProgram> made(ProgramKey key, String sourceCode, String packageJson, boolean installs) {
        Dependencies wanted;
        try {
            wanted = dependencies(packageJson);
        } catch (JsonProcessingException malformed) {
            return Future.succeededFuture(CodeProgram.broken("packageJson is not valid JSON", List.of()));
        }
        if (wanted.isEmpty()) {
            return compiler.needsNode(sourceCode)
                    .compose(needsNode ->
                            needsNode ? packaged.withoutPackages(sourceCode) : compiler.compile(sourceCode, "{}"))
                    .compose(program -> kept(key, StoredProgram.plain(program)));
        }
        return installs
                ? packaged.with(key, sourceCode, wanted)
                        .compose(stored -> refuseUnkept(stored, wanted))
                        .compose(stored -> kept(key, stored))
                : Future.succeededFuture(CodeProgram.broken(
                        "npm packages are not installed (" + String.join(", ", names(wanted))
                                + "); they are when the flow is published",
                        List.copyOf(names(wanted))));
    }

    /** Refuses a program that was not stored: a run would not find it and report that the packages are not installed. */
    private Future<StoredProgram> refuseUnkept(StoredProgram stored, Dependencies wanted) {
        var program = stored.program();
        return CodeCompiler.isLasting(program)
                ? Future.succeededFuture(stored)
                : Future.failedFuture(new BadPackage("npm packages " + String.join(", ", listed(wanted))
                        + " cannot be bundled into a program: "
                        + program.compileError()
                                .filter(CodeCompiler::isTooComplex)
                                .map(_ -> rules.tooLarge())
                                .orElseGet(() -> program.compileError().orElse("the compiler is not available"))));
    }

    static Set<String> names(Dependencies wanted) {
        return wanted.byKind().get("dependencies").keySet();
    }

    static List<String> listed(Dependencies wanted) {
        return wanted.byKind().get("dependencies").entrySet().stream()
                .map(entry -> entry.getKey() + "@" + entry.getValue())
                .toList();
    }

    /** Stores the program. If another node was faster, its program stays. */
    private Future<CodeProgram> kept(ProgramKey key, StoredProgram stored) {
        if (!CodeCompiler.isLasting(stored.program())) {
            return Future.succeededFuture(stored.program());
        }
        return bus.ask(new StoredPrograms.Keep(key, stored), ASK_DEADLINE_MS)
                .map(found -> found.orElse(stored).program())
                .onSuccess(program -> known.put(key, program));
    }

    static Dependencies dependencies(String packageJson) throws JsonProcessingException {
        JsonNode manifest = packageJson.isBlank() ? Json.object() : Json.parse(packageJson);
        var wanted = Json.object();
        wanted.set("dependencies", manifest.path("dependencies").deepCopy());
        return Dependencies.of(wanted);
    }
}
