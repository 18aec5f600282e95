package io.millrace.sandbox.node;

import io.millrace.sandbox.node.call.ConsoleOutput;
import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeLoad;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.sandbox.node.call.NodeSettings;
import io.millrace.sandbox.node.call.NodeTicket;
import io.millrace.sandbox.node.process.NodeLaunch;
import io.millrace.sandbox.node.process.NodeProcess;
import io.millrace.sandbox.node.process.NodeThreads;
import io.millrace.sandbox.node.watch.ProcessWatchdog;
import io.millrace.sandbox.node.watch.ScratchFolder;
import io.millrace.sandbox.share.ProcessShares;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Hands calls to processes, starts processes and replaces them (contract pieces 10.1). {@link ProcessShares} decides which project
 * gets the next one. All state belongs to one context, so nothing is synchronized; reports from the threads of processes are moved
 * to that context.
 */
final class NodePool implements NodeProcess.Owner {
    private static final long WATCH_MS = 100;
    private static final long START_MS_MAX = 20_000;

    /** Time in milliseconds that a process with one overdue question has for its other questions. */
    private static final long RETIRE_MS = 5_000;

    private final Vertx vertx;
    private final Context context;
    private final NodeSettings settings;
    private final HostEngine engine;
    private final HostEngine.Launcher launcher;
    private final ProcessWatchdog watchdog;
    private final Path temporary;
    private final ProcessShares shares;
    private final NodeGroups groups = new NodeGroups();
    private final NodeLines lines = new NodeLines(NodeSettings.WAITING_MAX);
    private final ProgramBackoff backoff;
    private final StartFailures failures = new StartFailures();
    private final WorkerUpkeep upkeep;
    private boolean pausing;
    private Promise<Void> closing;

    /** Load at the last measurement of the pool; read on any thread. */
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
        this.shares = settings.shares();
        this.backoff = new ProgramBackoff(settings.backoff());
        this.upkeep = new WorkerUpkeep(groups, shares, engine.purpose(), context);
        vertx.setPeriodic(WATCH_MS, _ -> watch());
    }

    void submit(NodeTicket ticket) {
        var call = ticket.call();
        if (closing != null) {
            ticket.end(NodeResult.Unavailable.forNow("the server is stopping"));
            return;
        }
        if (!lines.hasRoomFor(call.claimant())) {
            ticket.end(NodeResult.Unavailable.forNow("too many calls of pieces are waiting"));
            return;
        }
        var timer = vertx.setTimer(Math.max(1, call.timeLimitMs()), _ -> giveUp(ticket, Overdue.OVERDUE));
        ticket.result().onComplete(_ -> vertx.cancelTimer(timer));
        enter(ticket, backoff.ofNew(call));
    }

    /** Queues a call, or holds it until it may be queued (decision 0057). */
    private void enter(NodeTicket ticket, Duration wait) {
        if (wait.isPositive()) {
            hold(ticket, wait);
        } else {
            lines.add(ticket);
            dispatch();
        }
    }

    private void hold(NodeTicket ticket, Duration wait) {
        lines.hold(ticket);
        vertx.setTimer(wait.toMillis() + 1, _ -> {
            if (lines.release(ticket)) {
                enter(ticket, backoff.ofWaiting(ticket.call()));
            }
        });
    }

    void cancel(NodeTicket ticket) {
        giveUp(ticket, Overdue.UNWANTED);
    }

    private enum Overdue {
        OVERDUE,
        UNWANTED
    }

    /** Ends the call now, and a process that is executing it: JavaScript cannot be stopped otherwise. */
    private void giveUp(NodeTicket ticket, Overdue why) {
        var how = why == Overdue.OVERDUE
                ? new NodeResult.TimedOut(ticket.printed())
                : new NodeResult.Cancelled(ticket.printed());
        var worker = groups.workerAt(ticket);
        if (worker.isPresent() && !ticket.hasEnded()) {
            ends(ticket, how);
        }
        if (!ticket.end(how)) {
            return;
        }
        lines.remove(ticket);
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

    private void dispatch() {
        var isDone = false;
        while (!isDone) {
            isDone = lines.inOrder(groups::heldBy).stream().noneMatch(this::advance);
        }
    }

    /** Hands over the first call of a line, or starts a process for it; false if neither is possible now. */
    private boolean advance(NodeLines.Line line) {
        var call = line.first().call();
        if (!call.fence().isHeld()) {
            line.remove().end(new NodeResult.Cancelled(ConsoleOutput.NOTHING));
            return true;
        }
        var wait = backoff.ofWaiting(call);
        if (wait.isPositive()) {
            hold(line.remove(), wait);
            return true;
        }
        var worker = groups.at(call.place()).workerFor(call);
        return worker.isPresent() ? handOver(line, worker.get()) : start(line);
    }

    private boolean handOver(NodeLines.Line line, NodeWorker worker) {
        var claimant = line.claimant();
        if (!worker.isBusy() && !worker.isReservedFor(claimant) && !mayTake(claimant)) {
            return false;
        }
        if (worker.take(line.first())) {
            line.remove();
            lines.served(claimant);
        }
        return true;
    }

    private boolean mayTake(NodeCall.Claimant claimant) {
        return shares.mayTake(groups.heldBy(claimant), groups.busy());
    }

    private boolean start(NodeLines.Line line) {
        var claimant = line.claimant();
        var call = line.first().call();
        var group = groups.at(call.place());
        if (pausing
                || group.hasEnoughStarting(claimant, line.size(), lines.waiting(group.place()))
                || !mayTake(claimant)
                || !hasRoom(claimant)) {
            return false;
        }
        start(group, call);
        return true;
    }

    /** True if one more process may start, if necessary after an idle one has ended. */
    private boolean hasRoom(NodeCall.Claimant claimant) {
        if (groups.living() < shares.startsBelow(groups.heldBy(claimant))) {
            return true;
        }
        var idle = groups.dispensable(claimant, shares);
        idle.ifPresent(NodeWorker::end);
        return idle.isPresent();
    }

    private void start(NodeGroup group, NodeCall call) {
        var exchange = temporary.resolve(UUID.randomUUID().toString());
        var launch = new NodeLaunch(
                new NodeLaunch.Program(
                        engine.purpose(),
                        launcher.command(call, exchange),
                        launcher.grants(call, exchange),
                        launcher.environment(exchange)),
                settings.isolation(),
                exchange,
                settings.network().get().of(call.urgency()),
                engine.gateway(),
                settings.bounds(call.urgency()),
                new ScratchFolder(exchange, settings.limits().scratchBytesMax(call.urgency())),
                backoff.suspects(call));
        var process = new NodeProcess(this, launch, watchdog, NodeThreads.OF_SYSTEM);
        var worker = new NodeWorker(process, call.claimant(), failures.count());
        groups.add(group, worker);
        process.start();
        vertx.setTimer(START_MS_MAX, _ -> {
            if (!worker.isReady()) {
                process.kill();
            }
        });
    }

    @Override
    public void ready(NodeProcess process) {
        context.runOnContext(_ -> groups.workerOf(process).ifPresent(worker -> {
            failures.succeeded();
            worker.becameReady();
            dispatch();
            // Another process may have taken its call, or the call was canceled; then this process may serve any
            // project.
            worker.unreserve();
            dispatch();
        }));
    }

    @Override
    public void finished(NodeProcess process) {
        context.runOnContext(_ -> groups.workerOf(process).ifPresent(worker -> {
            if (worker.settle() && (worker.isWorn() || worker.isRetiring())) {
                worker.end();
            }
            dispatch();
        }));
    }

    @Override
    public void ended(NodeProcess process, List<NodeTicket> unbegun, String lastWords) {
        context.runOnContext(_ -> {
            var worker = groups.remove(process);
            unbegun.reversed().stream().filter(ticket -> !ticket.hasEnded()).forEach(this::again);
            worker.filter(started -> !started.isReady() && !started.isRetiring())
                    .ifPresent(started -> startFailed(started, lastWords));
            dispatch();
            whenClosed();
        });
    }

    /** Queues a call again. A call fails after several processes have ended before they began it, or if the pool stops. */
    private void again(NodeTicket ticket) {
        if (closing != null) {
            ticket.end(new NodeResult.Cancelled(ticket.printed()));
        } else if (ticket.mayBeHandedOverAgain()) {
            lines.giveBack(ticket);
        } else {
            ticket.end(NodeResult.Unavailable.forNow("the processes for the piece ended before the call began"));
        }
    }

    private void startFailed(NodeWorker worker, String lastWords) {
        failures.failed(worker.attempt(), lastWords).ifPresent(durationMs -> {
            pause(durationMs);
            lines.drain().forEach(ticket -> ticket.end(NodeResult.Unavailable.lasting(StartFailures.refusal())));
        });
    }

    private void pause(long durationMs) {
        pausing = true;
        vertx.setTimer(durationMs, _ -> {
            pausing = false;
            dispatch();
        });
    }

    Optional<String> trouble() {
        return failures.trouble();
    }

    private void watch() {
        measure();
        groups.forgetEmpty();
        if (groups.size() == 0) {
            return;
        }
        upkeep.endIdle();
        if (!lines.isEmpty()) {
            dispatch();
        }
        upkeep.checkLimits();
    }

    private void measure() {
        var free = groups.spare();
        load = new NodeLoad(
                groups.size() - free,
                free,
                lines.waiting(),
                lines.held(),
                groups.busy().background());
    }

    NodeLoad load() {
        return load;
    }

    /** Ends all processes; completes after the last one has ended. */
    Future<Void> close() {
        closing = Promise.promise();
        lines.drain().forEach(ticket -> ticket.end(new NodeResult.Cancelled(ConsoleOutput.NOTHING)));
        groups.workers().toList().forEach(NodeWorker::end);
        whenClosed();
        return closing.future();
    }

    private void whenClosed() {
        if (closing != null && groups.size() == 0) {
            closing.tryComplete();
        }
    }
}
