package io.millrace.app.module;

import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.EventAction;
import io.millrace.base.core.Json;
import io.millrace.base.metrics.ServerMeter;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Tx;
import io.millrace.sandbox.backoff.BackoffSettings;
import io.millrace.sandbox.code.CodeSettings;
import io.millrace.sandbox.code.compiler.CodeCompiler;
import io.millrace.sandbox.code.pool.CodeRunner;
import io.millrace.sandbox.node.NodeVerticle;
import io.millrace.sandbox.node.call.NodeSettings;
import io.millrace.sandbox.program.CodeEngines;
import io.millrace.sandbox.program.CodePrograms;
import io.millrace.sandbox.program.DependencyRules;
import io.millrace.sandbox.program.NodeCode;
import io.millrace.sandbox.program.ProgramFiles;
import io.millrace.sandbox.program.PythonCode;
import io.millrace.sandbox.program.StoredProgramService;
import io.millrace.sandbox.program.WorkerCode;
import io.millrace.sandbox.python.PythonEngine;
import io.millrace.sandbox.share.ProcessShares;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** User code: the build of programs, and the two engines that run them. */
public final class CodeModule implements ServerModule {
    /** Least workers for code if memory suffices: with a single worker, long calls of one project would block all others. */
    private static final int CODE_WORKERS_MIN = 2;

    /** Backoff before the third process of a program whose first two had to be killed. */
    private static final Duration CODE_PAUSE_MIN = Duration.ofMillis(250);

    private static final Logger LOG = LoggerFactory.getLogger(CodeModule.class);

    private static final NodeSettings.Network NO_NETWORK = new NodeSettings.Network(List.of(), List.of(), List.of());

    private final ServerContext context;
    private final CodeRunner runner;
    private final NodeVerticle python;
    private final CodePrograms programs;
    private final CodeEngines engines;

    CodeModule(ServerContext context, NodeVerticle node) {
        this.context = context;
        var engine = context.config().runs().engine();
        var directory = directory(context, "code");
        var workers = MachineMemory.ofHost()
                .processes(
                        Math.max(CODE_WORKERS_MIN, engine.code().concurrency()),
                        1,
                        CodeSettings.processBytes(engine.code().memoryBytes()));
        var ceiling = MachineMemory.ofHost()
                .ceiling(
                        workers,
                        context.config().packages().code().processes().beyondMax(),
                        CodeSettings.processBytes(engine.code().memoryBytes()));
        runner = new CodeRunner(
                context.vertx(),
                CodeSettings.forHost(
                        directory,
                        engine.code().memoryBytes(),
                        new ProcessShares(workers, ceiling),
                        context.sandbox().isolation(),
                        backoff(context)));
        var meters = context.observation().meters();
        meters.gauge(ServerMeter.CODE_WORKERS, () -> runner.load().busy(), "busy");
        meters.gauge(ServerMeter.CODE_WORKERS, () -> runner.load().free(), "free");
        meters.gauge(ServerMeter.CODE_CALLS_WAITING, () -> runner.load().waiting());
        meters.gauge(ServerMeter.CODE_CALLS_HELD, () -> runner.load().held(), "worker");
        meters.gauge(ServerMeter.CODE_CALLS_LONG, () -> runner.load().background(), "worker");
        python = python(context);
        meters.gauge(ServerMeter.CODE_CALLS_HELD, () -> python.load().held(), "python");
        meters.gauge(ServerMeter.CODE_CALLS_LONG, () -> python.load().background(), "python");
        var workerCode = new WorkerCode(runner, engine.code().inServer());
        programs = new CodePrograms(new CodePrograms.Parts(
                context.vertx(),
                context.bus(),
                new CodePrograms.Parts.Engines(
                        new CodeCompiler(
                                context.vertx(), directory, context.sandbox().isolation()),
                        workerCode,
                        new PythonCode(python, directory(context, "python-programs"))),
                NpmModule.packageManager(context),
                context.sandbox().isolation(),
                rules(context),
                directory(context, "code-packages"),
                context.clock()));
        var outputFilesMax = context.config().packages().code().processes().outputFilesMax();
        engines = new CodeEngines(
                workerCode,
                new NodeCode(
                        NodeCode.Kind.NODE,
                        node,
                        ProgramFiles.ofNode(
                                context.vertx(),
                                context.sandbox().isolation(),
                                directory(context, "code-programs"),
                                programs::nativeFiles),
                        outputFilesMax),
                new NodeCode(
                        NodeCode.Kind.PYTHON,
                        python,
                        ProgramFiles.ofPython(
                                context.vertx(), context.sandbox().isolation(), directory(context, "python-programs")),
                        outputFilesMax));
    }

    private static NodeVerticle python(ServerContext context) {
        var engine = context.config().runs().engine();
        var packages = context.config().packages();
        return new NodeVerticle(
                new NodeSettings(
                        packages.code().python().executable(),
                        directory(context, "python"),
                        engine.code().memoryBytes(),
                        packages.keptBytesMax(),
                        NpmModule.limits(
                                context,
                                engine.code().concurrency(),
                                engine.code().memoryBytes()),
                        () -> NO_NETWORK,
                        context.sandbox().isolation(),
                        backoff(context)),
                new PythonEngine(packages.code().python().isOn()));
    }

    static BackoffSettings backoff(ServerContext context) {
        var backoff = context.config().packages().code().backoff();
        return new BackoffSettings(
                CODE_PAUSE_MIN, backoff.pauseMax(), backoff.resetAfter(), backoff.failuresPerSecond());
    }

    private static DependencyRules rules(ServerContext context) {
        var natives = context.config().packages().nativePackages();
        var packages = context.config().packages().code().dependencies();
        var mode = switch (packages.mode()) {
            case "off" -> DependencyRules.Mode.OFF;
            case "allow-list" -> DependencyRules.Mode.ALLOW_LIST;
            case String _ -> DependencyRules.Mode.ON;
        };
        return new DependencyRules(mode, packages.allowed(), packages.programBytesMax(), natives);
    }

    private static Path directory(ServerContext context, String name) {
        return context.sandbox().directory().resolve(name);
    }

    @Override
    public List<BusService> loopServices() {
        return List.of(new StoredProgramService(context.database(), context.clock(), this::told));
    }

    /** Records in the platform's audit trail that code runs without the native code restriction of Node.js. */
    private Future<Void> told(Tx tx, String platformId, List<String> packages) {
        LOG.warn("code steps may load native code of {} (AP_NODE_NATIVE_PACKAGES)", String.join(", ", packages));
        if (platformId.isEmpty()) {
            return Future.succeededFuture();
        }
        var data = Json.object();
        packages.forEach(data.putArray("packages")::add);
        return context.security()
                .auditLog()
                .record(
                        tx,
                        new ApplicationEvent(EventAction.CODE_NATIVE_INSTALLED, platformId, null, null, null, data));
    }

    /** Runner of user code in worker processes; closed after the last run. */
    public CodeRunner runner() {
        return runner;
    }

    public NodeVerticle python() {
        return python;
    }

    /** Prepares the first call of code, after the server has started to serve. */
    public void expectCode() {
        runner.unpackEngine();
        programs.expect();
    }

    CodePrograms programs() {
        return programs;
    }

    CodeEngines engines() {
        return engines;
    }
}
