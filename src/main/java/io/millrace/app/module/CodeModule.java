package io.millrace.app.module;

import io.millrace.base.metrics.ServerMeter;
import io.millrace.base.persistence.BusService;
import io.millrace.sandbox.code.CodeCompiler;
import io.millrace.sandbox.code.CodeRunner;
import io.millrace.sandbox.code.CodeSettings;
import io.millrace.sandbox.node.NodeVerticle;
import io.millrace.sandbox.program.CodeEngines;
import io.millrace.sandbox.program.CodePrograms;
import io.millrace.sandbox.program.DependencyRules;
import io.millrace.sandbox.program.NodeCode;
import io.millrace.sandbox.program.StoredProgramService;
import java.nio.file.Path;
import java.util.List;

/** Code of users: what makes programs of it, and the two engines that run them. */
public final class CodeModule implements ServerModule {
    /** Workers for code, where memory suffices: with one alone, one project's long calls are everybody's. */
    private static final int CODE_WORKERS_MIN = 2;

    private final ServerContext context;
    private final CodeRunner runner;
    private final CodePrograms programs;
    private final CodeEngines engines;

    CodeModule(ServerContext context, NodeVerticle node) {
        this.context = context;
        var engine = context.config().engine();
        var directory = directory(context, "code");
        var workers = MachineMemory.ofHost()
                .processes(
                        Math.max(CODE_WORKERS_MIN, engine.codeConcurrency()),
                        1,
                        CodeSettings.processBytes(engine.codeMemoryBytes()));
        runner = new CodeRunner(
                context.vertx(),
                CodeSettings.forHost(directory, engine.codeMemoryBytes(), workers, context.isolation()));
        var meters = context.meters();
        meters.gauge(ServerMeter.CODE_WORKERS, () -> runner.load().busy(), "busy");
        meters.gauge(ServerMeter.CODE_WORKERS, () -> runner.load().free(), "free");
        meters.gauge(ServerMeter.CODE_CALLS_WAITING, () -> runner.load().waiting());
        programs = new CodePrograms(new CodePrograms.Parts(
                context.vertx(),
                context.bus(),
                new CodeCompiler(context.vertx(), directory, context.isolation()),
                NpmModule.packageManager(context),
                context.isolation(),
                rules(context),
                directory(context, "code-packages"),
                context.clock()));
        engines = new CodeEngines(
                runner, new NodeCode(context.vertx(), node, context.isolation(), directory(context, "code-programs")));
    }

    private static DependencyRules rules(ServerContext context) {
        var packages = context.config().packages().ofCode();
        var mode = switch (packages.mode()) {
            case "off" -> DependencyRules.Mode.OFF;
            case "allow-list" -> DependencyRules.Mode.ALLOW_LIST;
            case String _ -> DependencyRules.Mode.ON;
        };
        return new DependencyRules(mode, packages.allowed(), packages.programBytesMax());
    }

    private static Path directory(ServerContext context, String name) {
        return context.config().data().directory().resolve(name);
    }

    @Override
    public List<BusService> loopServices() {
        return List.of(new StoredProgramService(context.database(), context.clock()));
    }

    /** Whose processes run code of users; closed after the last run. */
    public CodeRunner runner() {
        return runner;
    }

    CodePrograms programs() {
        return programs;
    }

    CodeEngines engines() {
        return engines;
    }
}
