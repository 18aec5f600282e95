package io.millrace.sandbox.node;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which process makes which call, when one is started and when one is replaced (contract pieces 10.1). Everything
 * happens on one context, so nothing is synchronised; processes report from their own threads and are brought over.
 */
final class NodePool implements NodeProcess.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(NodePool.class);
    private static final long WATCH_MS = 250;
    private static final long START_MS_MAX = 20_000;

    /** A process that one overdue question holds up may finish its other questions for so long. */
    private static final long RETIRE_MS = 5_000;

    /** Attempts to start that may fail one right after the other; then calls are refused. */
    private static final int FAILED_STARTS_MAX = 3;

    /** Waits between the attempts after these (contract pieces 10.4). */
    private static final List<Long> BACKOFF_MS = List.of(1_000L, 2_000L, 5_000L, 10_000L, 30_000L);

    private final Vertx vertx;
    private final Context context;
    private final NodeSettings settings;
    private final HostEngine engine;
    private final HostEngine.Launcher launcher;
    private final ProcessWatchdog watchdog;
    private final Path temporary;
    private final Map<String, NodeGroup> groups = new HashMap<>();
    private final Map<NodeProcess, NodeGroup> groupOf = new HashMap<>();
    private int failedStarts;
    private boolean pausing;
    private String lastFailure = "";
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
        vertx.setPeriodic(WATCH_MS, _ -> watch());
    }

    void submit(NodeTicket ticket) {
        var call = ticket.call();
        if (closing != null) {
            ticket.end(new NodeResult.Unavailable("the server is stopping"));
            return;
        }
        var group = groups.computeIfAbsent(placeOf(call), _ -> new NodeGroup(call.urgency()));
        if (group.waiting().size() >= NodeSettings.WAITING_MAX) {
            ticket.end(new NodeResult.Unavailable("too many calls of pieces are waiting"));
            return;
        }
        group.waiting().add(ticket);
        var timer = vertx.setTimer(Math.max(1, call.timeLimitMs()), _ -> giveUp(ticket, Overdue.OVERDUE));
        ticket.result().onComplete(_ -> vertx.cancelTimer(timer));
        dispatch(group);
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
        if (!ticket.end(how)) {
            return;
        }
        for (var group : groups.values()) {
            group.waiting().remove(ticket);
            group.workers().stream()
                    .filter(worker -> worker.calls().contains(ticket))
                    .findFirst()
                    .ifPresent(this::retireHeldUp);
        }
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
        var launch = new NodeProcess.Launch(
                engine.purpose(),
                launcher.command(call, exchange),
                launcher.grants(call, exchange),
                settings.isolation(),
                launcher.environment(exchange),
                exchange,
                settings.network().get().of(call.urgency()),
                settings.keptBytesMax(),
                call.urgency() == NodeCall.Urgency.CODE
                        ? Optional.of(new ScratchFolder(exchange, settings.scratchBytesMax()))
                        : Optional.empty());
        var process = new NodeProcess(this, launch, watchdog);
        var worker = new NodeWorker(process, failedStarts);
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
            failedStarts = 0;
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

    /** A call that ends one process after the other before it begins is to blame itself. */
    private static void again(NodeGroup group, NodeTicket ticket) {
        if (ticket.mayBeHandedOverAgain()) {
            group.waiting().addFirst(ticket);
        } else {
            ticket.end(new NodeResult.Broke("the process of the piece ended before the call began", ticket.printed()));
        }
    }

    /** Processes that began together and ended together count once: whoever killed them did it once. */
    private void startFailed(NodeWorker worker, String lastWords) {
        lastFailure = lastWords.strip();
        LOG.warn("a process for pieces could not be started: {}", lastFailure);
        if (worker.attempt() != failedStarts) {
            return;
        }
        failedStarts++;
        if (failedStarts >= FAILED_STARTS_MAX) {
            pause(BACKOFF_MS.get(Math.min(failedStarts - FAILED_STARTS_MAX, BACKOFF_MS.size() - 1)));
            for (var group : groups.values()) {
                group.waiting().forEach(ticket -> ticket.end(new NodeResult.Unavailable(refusal())));
                group.waiting().clear();
            }
        }
    }

    private void pause(long durationMs) {
        pausing = true;
        vertx.setTimer(durationMs, _ -> {
            pausing = false;
            groups.values().forEach(this::dispatch);
        });
    }

    private String refusal() {
        return "Node.js could not be started to run the piece";
    }

    /** Why calls are refused at the moment; empty when they are not. */
    Optional<String> trouble() {
        return failedStarts >= FAILED_STARTS_MAX ? Optional.of(refusal() + ": " + lastFailure) : Optional.empty();
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
        for (var group : groups.values()) {
            waiting += group.waiting().size();
            for (var worker : group.workers()) {
                free += worker.isReady() && !worker.isBusy() ? 1 : 0;
            }
        }
        load = new NodeLoad(groupOf.size() - free, free, waiting);
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
            group.waiting().forEach(ticket -> ticket.end(new NodeResult.Cancelled(Printed.NOTHING)));
            group.waiting().clear();
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
