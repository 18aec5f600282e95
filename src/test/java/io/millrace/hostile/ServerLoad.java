package io.millrace.hostile;

import io.millrace.support.DataDirectory;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;

/** Hostile load on the packaged server with its default settings and the memory of a small machine. */
final class ServerLoad {
    private static final Duration START_DEADLINE = Duration.ofMinutes(2);
    private static final Duration WARM_UP = Duration.ofSeconds(5);

    /** Accepted work is still executed after the load. */
    private static final Duration REST_DEADLINE = Duration.ofMinutes(2);

    private static final Duration REST_PAUSE = Duration.ofSeconds(3);
    private static final int LINES_SHOWN = 10;

    private final HostilePlan plan;
    private final Machine machine;
    private final ServerProcess server;
    private final int port;
    private final PrintStream out;

    private ServerLoad(HostilePlan plan, Machine machine, ServerProcess server, PrintStream out) {
        this.plan = plan;
        this.machine = machine;
        this.server = server;
        this.port = server.port(START_DEADLINE);
        this.out = out;
    }

    /** Objections to the state of the server after the load; empty if it withstood the load. */
    static List<String> run(HostilePlan plan, Path program, PrintStream out) throws InterruptedException {
        try (var machine = Machine.of(plan.memoryBytes());
                var directory = DataDirectory.create()) {
            out.println(plan.text() + "; " + machine.text());
            var settings = new HashMap<>(machine.settings());
            settings.put("AP_LOG_LEVEL", "warn");
            try (var server = ServerProcess.start(machine.command(program), directory.path(), settings)) {
                return new ServerLoad(plan, machine, server, out).run();
            }
        }
    }

    private List<String> run() throws InterruptedException {
        var calmFlow = PublishedFlow.create(
                server.api(START_DEADLINE), calmScript().importOperation("Calm").path("request"));
        var flows = AttackedFlows.publish(calmFlow);
        try (var calm = new CalmClient(calmFlow, port)) {
            calm.start();
            Thread.sleep(WARM_UP);
            var heapBeforeMb = Heap.livingMegabytes(process());
            var end = System.nanoTime() + plan.loadLength().toNanos();
            var target = new AttackTarget(port, calmFlow.api().token(), end, flows);
            var attacks = Assault.begin(target, Attack.all()).finish();
            out.println("the load is over; what was accepted is done now");
            var heapAfterMb = heapAfter(heapBeforeMb);
            calm.rest();
            var verdict = new AttackVerdict(
                    server.isAlive(), calm.isAnswered(), attacks, calm.answers(), heapBeforeMb, heapAfterMb);
            return report(verdict);
        }
    }

    /** Four steps without outgoing calls. */
    private static FlowScript calmScript() {
        return FlowScript.webhook()
                .map("step_1", "{'twice':'{{trigger.output.body.n * 2}}'}")
                .map("step_2", "{'more':'{{step_1.output.twice + 1}}'}")
                .map("step_3", "{'text':'{{step_2.output.more}}'}")
                .returnJson("step_4", "{'result':'{{step_3.output.text}}'}");
    }

    private long process() {
        return server.processes().getFirst().pid();
    }

    /** Repeats the measurement until no more is live than permitted, or the time is over; returns the smallest one. */
    private long heapAfter(long heapBeforeMb) throws InterruptedException {
        var end = System.nanoTime() + REST_DEADLINE.toNanos();
        var least = Long.MAX_VALUE;
        do {
            Thread.sleep(REST_PAUSE);
            if (!server.isAlive()) {
                return -1;
            }
            least = Math.min(least, Heap.livingMegabytes(process()));
        } while (least > heapBeforeMb + AttackVerdict.HEAP_GROWTH_MB_MAX && System.nanoTime() < end);
        return least;
    }

    private List<String> report(AttackVerdict verdict) {
        out.println("attackers:\n" + verdict.attacks().text());
        out.println("the calm client:\n" + verdict.calm().text());
        out.printf(
                "heap after collection: %d MB before, %d MB after; %d processes ended by the kernel for want of memory%n",
                verdict.heapBeforeMb(), verdict.heapAfterMb(), machine.endedForMemory());
        var objections = verdict.objections();
        if (server.isAlive() && verdict.hasGrown()) {
            out.println("largest classes:\n" + Heap.largestClasses(process()));
        }
        if (!server.isAlive()) {
            out.println("the server's last words:");
            var lines = server.output().lines().toList();
            lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()).forEach(out::println);
        }
        objections.forEach(objection -> out.println("OBJECTION: " + objection));
        out.println(objections.isEmpty() ? "The server stood it." : "THE SERVER DID NOT STAND IT.");
        return objections;
    }
}
