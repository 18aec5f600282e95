package io.millrace.sandbox.code.pool;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.backoff.BackoffSettings;
import io.millrace.sandbox.code.CodeCall;
import io.millrace.sandbox.code.CodeLimits;
import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.CodeSettings;
import io.millrace.sandbox.code.RunningCode;
import io.millrace.sandbox.code.compiler.CodeCompiler;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.share.ProcessShares;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Compiles and runs snippets as a step would, for the tests of this module. */
public final class CodeBench implements AutoCloseable {
    static final CodeLimits LIMITS = new CodeLimits(1_200_000, 10_000, 1 << 20);

    /** Deadline of calls that normally end in seconds; a bomb takes longer while other tests run. */
    private static final long DEADLINE_SECONDS = 1_500;

    private final Vertx vertx = Vertx.vertx();
    private final CodeCompiler compiler;
    private final CodeRunner runner;

    CodeBench(long memoryLimitBytes, int workers, int workersPerKey) {
        this(memoryLimitBytes, workers, workersPerKey, BackoffSettings.OFF);
    }

    CodeBench(long memoryLimitBytes, int workers, int workersPerKey, BackoffSettings backoff) {
        this(memoryLimitBytes, workers, workersPerKey, 60_000, backoff);
    }

    CodeBench(long memoryLimitBytes, int workers, int workersPerKey, long idleMs, BackoffSettings backoff) {
        this(
                memoryLimitBytes,
                new ProcessShares(workers, workers),
                workersPerKey,
                idleMs,
                backoff,
                Path.of("/proc/vmstat"));
    }

    CodeBench(ProcessShares shares) {
        this(64 << 20, shares, shares.usual(), 60_000, BackoffSettings.OFF, Path.of("/proc/vmstat"));
    }

    /** @param counters the kernel's counts of killed processes */
    CodeBench(Path counters) {
        this(64 << 20, new ProcessShares(1, 1), 1, 60_000, BackoffSettings.OFF, counters);
    }

    private CodeBench(
            long memoryLimitBytes,
            ProcessShares shares,
            int workersPerKey,
            long idleMs,
            BackoffSettings backoff,
            Path counters) {
        try {
            Path directory = Files.createTempDirectory("code-room");
            directory.toFile().deleteOnExit();
            var isolation = new Isolation(Isolation.Settings.of(directory.resolve("isolation")), counters);
            compiler = new CodeCompiler(vertx, directory, isolation);
            runner = new CodeRunner(
                    vertx,
                    new CodeSettings(
                            directory,
                            memoryLimitBytes,
                            new CodeSettings.Workers(shares.usual(), shares.ceiling(), workersPerKey),
                            20,
                            10,
                            idleMs,
                            isolation,
                            backoff));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    CodeRunner runner() {
        return runner;
    }

    CodeProgram compile(String source) {
        return compile(source, "{}");
    }

    CodeProgram compile(String source, String packageJson) {
        return await(compiler.compile(source, packageJson));
    }

    CodeResult run(String source) {
        return run(source, Json.object());
    }

    CodeResult run(String source, JsonNode inputs) {
        return run(source, inputs, LIMITS);
    }

    CodeResult run(String source, JsonNode inputs, CodeLimits limits) {
        return await(start("project", source, inputs, limits).result());
    }

    RunningCode start(String key, String source, JsonNode inputs, CodeLimits limits) {
        return runner.run(new CodeCall(key, compile(source), inputs, limits));
    }

    /** The output of a snippet that is the body of the code function. */
    JsonNode output(String body) {
        return output(body, Json.object());
    }

    JsonNode output(String body, JsonNode inputs) {
        CodeResult result = run("export const code = async (inputs) => {" + body + "};", inputs);
        if (result instanceof CodeResult.Returned returned) {
            return returned.output();
        }
        throw new AssertionError("expected a value, but found " + result);
    }

    CodeResult.Threw thrown(String body) {
        CodeResult result = run("export const code = async (inputs) => {" + body + "};");
        if (result instanceof CodeResult.Threw threw) {
            return threw;
        }
        throw new AssertionError("expected an error, but found " + result);
    }

    public static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException failure) {
            throw new AssertionError("expected a result, but found " + failure, failure);
        }
    }

    static JsonNode json(String text) {
        return Json.trusted(text.replace('\'', '"'));
    }

    @Override
    public void close() {
        await(runner.close());
        await(compiler.close());
        await(vertx.close());
    }
}
