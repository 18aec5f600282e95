package io.millrace.sandbox.program;

import io.millrace.base.bus.WorkerThreads;
import io.millrace.base.core.FolderTree;
import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.code.NativePackages;
import io.millrace.sandbox.code.compiler.CodeCompiler;
import io.millrace.sandbox.npm.BadPackage;
import io.millrace.sandbox.npm.Dependencies;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes programs for Node.js, each a single file with its packages inside; native packages stay separate files. */
final class PackagedCode {
    private static final Logger LOG = LoggerFactory.getLogger(PackagedCode.class);
    private static final int INSTALLERS = 1;
    private static final Duration INSTALL_LONGEST = Duration.ofMinutes(5);

    private final CodeCompiler compiler;
    private final CodePackages packages;
    private final DependencyRules rules;
    private final InstantSource clock;
    private final WorkerExecutor installer;

    PackagedCode(CodePrograms.Parts parts) {
        compiler = parts.engines().compiler();
        packages = new CodePackages(parts.packages(), parts.isolation(), parts.directory());
        rules = parts.rules();
        clock = parts.clock();
        installer = WorkerThreads.open(parts.vertx(), "code-packages", INSTALLERS, INSTALL_LONGEST);
    }

    Future<CodeProgram> withoutPackages(String sourceCode) {
        return compiler.forNode(sourceCode);
    }

    /** A program with its packages, which are fetched, bundled and removed; fails with {@link BadPackage}. */
    Future<StoredProgram> with(ProgramKey key, String sourceCode, Dependencies wanted) {
        var listed = CodePrograms.listed(wanted);
        var beganMs = clock.millis();
        return installer.executeBlocking(() -> fetched(wanted), false).compose(folder -> {
            var tookMs = Math.max(1, clock.millis() - beganMs);
            LOG.info("npm packages of a code step: {} in {} ms", String.join(", ", listed), tookMs);
            return bundled(key, sourceCode, wanted, folder)
                    .eventually(() -> installer.executeBlocking(
                            () -> {
                                FolderTree.remove(folder.path());
                                return null;
                            },
                            false))
                    .map(made ->
                            new StoredProgram(made.program(), Optional.of(folder.lock()), tookMs, made.nativeFiles()));
        });
    }

    private Future<StoredProgram> bundled(
            ProgramKey key, String sourceCode, Dependencies wanted, CodePackages.PackageFolder folder) {
        var natives = rules.nativeAmong(key.platformId(), CodePrograms.names(wanted));
        return compiler.bundle(sourceCode, CodePrograms.listed(wanted), folder.path(), natives)
                .compose(this::checkSize)
                .compose(program -> natives.isEmpty() || program.compileError().isPresent()
                        ? Future.succeededFuture(StoredProgram.plain(program))
                        : installer
                                .executeBlocking(() -> CodePackages.pack(folder, rules.bundleBytesMax()), false)
                                .map(files -> new StoredProgram(
                                        program.beside(new NativePackages(key.platformId(), key.hash(), natives)),
                                        Optional.empty(),
                                        0,
                                        Optional.of(Buffer.buffer(files)))));
    }

    private CodePackages.PackageFolder fetched(Dependencies wanted) throws BadPackage {
        var names = CodePrograms.names(wanted);
        rules.check(names);
        try {
            return packages.install(wanted);
        } catch (IOException failure) {
            throw new BadPackage(
                    "npm packages " + String.join(", ", names) + " cannot be installed: " + failure.getMessage(),
                    failure);
        }
    }

    private Future<CodeProgram> checkSize(CodeProgram program) {
        return program.javaScript().length() <= rules.bundleBytesMax()
                ? Future.succeededFuture(program)
                : Future.failedFuture(new BadPackage(
                        "npm packages " + String.join(", ", program.npmDependencies()) + ": " + rules.tooLarge()
                                + "; found " + megabytes(program.javaScript().length())));
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MB", bytes / (double) (1 << 20));
    }
}
