package io.millrace.sandbox.node;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Which process makes which call, when one is started and when one is replaced (contract pieces 10.1). Everything
 * happens on one context, so nothing is synchronised; processes report from their own threads and are brought over.
 */
final class NodePool implements NodeProcess.Owner {
    private static final long WATCH_MS = 100;
    private static final long START_MS_MAX = 20_000;

    /** A process that one overdue question holds up may finish its other questions for so long. */
    private static final long RETIRE_MS = 5_000;

    private final Vertx vertx;
    private final Context context;
    private final NodeSettings settings;
    private final HostEngine engine;
    private final HostEngine.Launcher launcher;
    private final ProcessWatchdog watchdog;
    private final Path temporary;
    private final Map<String, NodeGroup> groups = new HashMap<>();
    private final Map<NodeProcess, NodeGroup> groupOf = new HashMap<>();
    private final ProgramBackoff backoff;
    private final StartFailures failures = new StartFailures();
    private boolean pausing;
    private Promise<Void> closing;

    /** As it was when the pool looked last; read on any thread. */
    private volatile NodeLoad load = NodeLoad.NOTHING;

    NodePool(
            Vertx vertx,
            NodeSettings settings,
            HostEngine engine,
            HostEngine.Launcher launcher,
            ProcessWatchdog watchdog,
            Path temporary) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.settings = settings;
        this.engine = engine;
        this.launcher = launcher;
        this.watchdog = watchdog;
        this.temporary = temporary;
        this.backoff = new ProgramBackoff(settings.backoff());
        vertx.setPeriodic(WATCH_MS, _ -> watch());
    }

    void submit(NodeTicket ticket) {
        var call = ticket.call();
        if (closing != null) {
            ticket.end(new NodeResult.Unavailable("the server is stopping"));
            return;
        }
        var group = groups.computeIfAbsent(placeOf(call), _ -> new NodeGroup(call.urgency()));
        if (group.waiting().size() + group.held().size() >= NodeSettings.WAITING_MAX) {
            ticket.end(new NodeResult.Unavailable("too many calls of pieces are waiting"));
            return;
        }
        var timer = vertx.setTimer(Math.max(1, call.timeLimitMs()), _ -> giveUp(ticket, Overdue.OVERDUE));
        ticket.result().onComplete(_ -> vertx.cancelTimer(timer));
        enter(group, ticket, backoff.ofNew(call));
    }

    /** Lets a call into the line, or holds it until it may be there (decision 0294). */
    private void enter(NodeGroup group, NodeTicket ticket, Duration wait) {
        if (wait.isPositive()) {
            hold(group, ticket, wait);
        } else {
            group.waiting().add(ticket);
            dispatch(group);
        }
    }

    private void hold(NodeGroup group, NodeTicket ticket, Duration wait) {
        group.held().add(ticket);
        vertx.setTimer(wait.toMillis() + 1, _ -> {
            if (group.held().remove(ticket)) {
                enter(group, ticket, backoff.ofWaiting(ticket.call()));
            }
        });
    }

    private static String placeOf(NodeCall call) {
        return call.urgency() + (call.loadsNativeCode() ? ":native:" : ":") + call.group();
    }

    void cancel(NodeTicket ticket) {
        giveUp(ticket, Overdue.UNWANTED);
    }

    private enum Overdue {
        OVERDUE,
        UNWANTED
    }

    /** The call ends now; a process that is at it ends with it, because nothing else stops JavaScript. */
    private void giveUp(NodeTicket ticket, Overdue why) {
        var how = why == Overdue.OVERDUE
                ? new NodeResult.TimedOut(ticket.printed())
                : new NodeResult.Cancelled(ticket.printed());
        var worker = groups.values().stream()
                .flatMap(group -> group.workers().stream())
                .filter(busy -> busy.calls().contains(ticket))
                .findFirst();
        if (worker.isPresent() && !ticket.hasEnded()) {
            ends(ticket, how);
        }
        if (!ticket.end(how)) {
            return;
        }
        for (var group : groups.values()) {
            group.waiting().remove(ticket);
            group.held().remove(ticket);
        }
        worker.ifPresent(this::retireHeldUp);
    }

    @Override
    public void ends(NodeTicket ticket, NodeResult how) {
        backoff.ends(ticket.call(), how);
    }

    private void retireHeldUp(NodeWorker worker) {
        worker.retire();
        if (worker.settle()) {
            worker.process().kill();
        } else {
            vertx.setTimer(RETIRE_MS, _ -> worker.process().kill());
        }
    }

    private void dispatch(NodeGroup group) {
        while (!group.waiting().isEmpty()) {
            if (!group.waiting().peek().call().fence().isHeld()) {
                group.waiting().remove().end(new NodeResult.Cancelled(Printed.NOTHING));
                continue;
            }
            var wait = backoff.ofWaiting(group.waiting().peek().call());
            if (wait.isPositive()) {
                hold(group, group.waiting().remove(), wait);
                continue;
            }
            var worker = group.workerFor(group.waiting().peek().call());
            if (worker.isPresent()) {
                if (worker.get().take(group.waiting().peek())) {
                    group.waiting().remove();
                }
            } else if (group.hasEnoughStarting() || pausing || !hasRoom()) {
                return;
            } else {
                start(group, group.waiting().peek().call());
            }
        }
    }

    /** Whether one more process may run; one that is idle in another group makes room. */
    private boolean hasRoom() {
        if (groupOf.size() < settings.processesMax()) {
            return true;
        }
        var idle = groups.values().stream()
                .flatMap(group -> group.workers().stream())
                .filter(worker -> worker.isReady() && !worker.isBusy() && !worker.isRetiring())
                .findFirst();
        idle.ifPresent(this::end);
        return idle.isPresent();
    }

    private void end(NodeWorker worker) {
        worker.retire();
        worker.process().kill();
    }

    private void start(NodeGroup group, NodeCall call) {
        var exchange = temporary.resolve(UUID.randomUUID().toString());
        var launch = new NodeLaunch(
                engine.purpose(),
                launcher.command(call, exchange),
                launcher.grants(call, exchange),
                settings.isolation(),
                launcher.environment(exchange),
                exchange,
                settings.network().get().of(call.urgency()),
                engine.gateway(),
                settings.keptBytesMax(),
                call.urgency() == NodeCall.Urgency.CODE
                        ? Optional.of(new ScratchFolder(exchange, settings.scratchBytesMax()))
                        : Optional.empty(),
                backoff.suspects(call));
        var process = new NodeProcess(this, launch, watchdog, NodeThreads.OF_SYSTEM);
        var worker = new NodeWorker(process, failures.count());
        group.workers().add(worker);
        groupOf.put(process, group);
        process.start();
        vertx.setTimer(START_MS_MAX, _ -> {
            if (!worker.isReady()) {
                process.kill();
            }
        });
    }

    @Override
    public void ready(NodeProcess process) {
        context.runOnContext(_ -> workerOf(process).ifPresent(worker -> {
            failures.succeeded();
            worker.becameReady();
            dispatch(groupOf.get(process));
            // Its call may have been made elsewhere or given up since; then it makes room for another group.
            groups.values().forEach(this::dispatch);
        }));
    }

    @Override
    public void finished(NodeProcess process) {
        context.runOnContext(_ -> workerOf(process).ifPresent(worker -> {
            if (worker.settle() && (worker.isWorn() || worker.isRetiring())) {
                end(worker);
            }
            // A process without work may make room for one of another group.
            groups.values().forEach(this::dispatch);
        }));
    }

    @Override
    public void ended(NodeProcess process, List<NodeTicket> unbegun, String lastWords) {
        context.runOnContext(_ -> {
            var worker = workerOf(process);
            var group = groupOf.remove(process);
            worker.ifPresent(group.workers()::remove);
            unbegun.reversed().stream().filter(ticket -> !ticket.hasEnded()).forEach(ticket -> again(group, ticket));
            worker.filter(started -> !started.isReady() && !started.isRetiring())
                    .ifPresent(started -> startFailed(started, lastWords));
            groups.values().removeIf(NodeGroup::isEmpty);
            groups.values().forEach(this::dispatch);
            whenClosed();
        });
    }

    /** A call that ends one process after the other before it begins is to blame itself; one at a stop begins nowhere. */
    private void again(NodeGroup group, NodeTicket ticket) {
        if (closing != null) {
            ticket.end(new NodeResult.Cancelled(ticket.printed()));
        } else if (ticket.mayBeHandedOverAgain()) {
            group.waiting().addFirst(ticket);
        } else {
            ticket.end(new NodeResult.Broke("the process of the piece ended before the call began", ticket.printed()));
        }
    }

    private void startFailed(NodeWorker worker, String lastWords) {
        failures.failed(worker.attempt(), lastWords).ifPresent(durationMs -> {
            pause(durationMs);
            groups.values().stream()
                    .flatMap(group -> group.drain().stream())
                    .forEach(ticket -> ticket.end(new NodeResult.Unavailable(StartFailures.refusal())));
        });
    }

    private void pause(long durationMs) {
        pausing = true;
        vertx.setTimer(durationMs, _ -> {
            pausing = false;
            groups.values().forEach(this::dispatch);
        });
    }

    /** Why calls are refused at the moment; empty when they are not. */
    Optional<String> trouble() {
        return failures.trouble();
    }

    private Optional<NodeWorker> workerOf(NodeProcess process) {
        var group = groupOf.get(process);
        return group == null
                ? Optional.empty()
                : group.workers().stream()
                        .filter(worker -> worker.process() == process)
                        .findFirst();
    }

    /** Ends processes that hold more memory or files than they may, and those that nobody has needed for long. */
    private void watch() {
        measure();
        if (groupOf.isEmpty()) {
            return;
        }
        for (var group : groups.values()) {
            for (var worker : List.copyOf(group.workers())) {
                if (worker.isReady() && worker.isIdleFor(NodeSettings.IDLE_MS)) {
                    end(worker);
                }
            }
        }
        var busy = groups.values().stream()
                .flatMap(group -> group.workers().stream())
                .filter(NodeWorker::isBusy)
                .map(NodeWorker::process)
                .toList();
        if (!busy.isEmpty()) {
            Thread.startVirtualThread(() -> busy.forEach(this::checkUse));
        }
    }

    private void measure() {
        var free = 0;
        var waiting = 0;
        var held = 0;
        for (var group : groups.values()) {
            waiting += group.waiting().size();
            held += group.held().size();
            for (var worker : group.workers()) {
                free += worker.isReady() && !worker.isBusy() ? 1 : 0;
            }
        }
        load = new NodeLoad(groupOf.size() - free, free, waiting, held);
    }

    NodeLoad load() {
        return load;
    }

    private void checkUse(NodeProcess process) {
        process.pid().ifPresent(pid -> {
            if (ResidentMemory.bytes(pid) > settings.residentBytesMax()) {
                process.killForMemory();
            }
        });
        process.endsOverQuota();
        process.yieldMore();
    }

    /** Ends all processes; completes when the last one has gone. */
    Future<Void> close() {
        closing = Promise.promise();
        for (var group : groups.values()) {
            group.drain().forEach(ticket -> ticket.end(new NodeResult.Cancelled(Printed.NOTHING)));
            group.workers().forEach(this::end);
        }
        whenClosed();
        return closing.future();
    }

    private void whenClosed() {
        if (closing != null && groupOf.isEmpty()) {
            closing.tryComplete();
        }
    }
}
