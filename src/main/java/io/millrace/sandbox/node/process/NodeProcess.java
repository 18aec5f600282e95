package io.millrace.sandbox.node.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.FolderTree;
import io.millrace.base.core.Json;
import io.millrace.sandbox.isolation.ProcessPriority;
import io.millrace.sandbox.isolation.ProcessPurpose;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.sandbox.node.call.NodeTicket;
import io.millrace.sandbox.node.network.ConnectionGateway;
import io.millrace.sandbox.node.watch.ProcessGuard;
import io.millrace.sandbox.node.watch.ProcessWatchdog;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process and its current calls. Three threads serve its pipes, because pipes block; they report events to the owner. A call
 * that had not begun when the process ended is returned: another process may make it.
 */
public final class NodeProcess {
    private static final Logger LOG = LoggerFactory.getLogger(NodeProcess.class);
    private static final int PROTOCOL_VERSION = 1;
    private static final int STRAY_LINES_MAX = 2;

    /** Delay in milliseconds after which a process that has not begun a call gets no further ones. */
    private static final long STUCK_MS = 1_000;

    private static final long EXIT_MS_MAX = 5_000;
    private static final long ERRORS_MS_MAX = 1_000;

    /** Receives events of a process on one of its threads. */
    public interface Owner {
        void ready(NodeProcess process);

        /** A call is about to end with this result; its caller does not know it yet. */
        void ends(NodeTicket ticket, NodeResult how);

        /** A call has ended, or has left state after its end; the process may take another call or be replaced. */
        void finished(NodeProcess process);

        /** @param unbegun calls that the process had not begun with */
        void ended(NodeProcess process, List<NodeTicket> unbegun, String lastWords);
    }

    private final Owner owner;
    private final NodeLaunch launch;
    private final ProcessWatchdog watchdog;
    private final NodeThreads threads;
    private final LinkedBlockingQueue<ObjectNode> outgoing = new LinkedBlockingQueue<>();
    private final NodeCalls calls = new NodeCalls();
    private final StderrTail errors = new StderrTail();
    private volatile Process process;
    /** For a process with a network; null for others, and before there is one. */
    private volatile ConnectionGateway.Admission admission;

    /** For a process of code; null for others, and before there is one. */
    private volatile ProcessPriority priority;

    private volatile boolean late;
    private volatile boolean holdsUnnamed;
    private final ProcessGuard guard;
    private volatile long residentBytes;
    private final NodeEnding ending;
    /** Used by the reading thread only. */
    private boolean ready;

    public NodeProcess(Owner owner, NodeLaunch launch, ProcessWatchdog watchdog, NodeThreads threads) {
        this.owner = owner;
        this.launch = launch;
        this.watchdog = watchdog;
        this.threads = threads;
        this.ending = new NodeEnding(launch.program().purpose(), launch.isolation()::memoryKills);
        this.guard = new ProcessGuard(
                launch.bounds(), launch.scratch(), launch.program().purpose() == ProcessPurpose.PYTHON);
    }

    /** Starts the process. If the start fails, the process counts as ended and the owner is notified. */
    public void start() {
        send(Json.object().put("t", "setup").set("network", Json.mapper().valueToTree(launch.network())));
        try {
            threads.begin("node-write", this::run);
        } catch (OutOfMemoryError noThread) {
            ended(noThread.getMessage());
        }
    }

    public boolean isAlive() {
        var started = process;
        return started != null && started.isAlive();
    }

    /** True if its calls left state behind: a late error, unnamed files, or more memory than an idle process may hold. */
    public boolean isWorn() {
        return late
                || holdsUnnamed
                || ending.isBroken()
                || residentBytes > launch.bounds().keptBytesMax()
                || hadLongCall();
    }

    /** True if a call in the process cannot begin because another one does not yield. */
    public boolean isStuck() {
        return calls.isStuck(STUCK_MS);
    }

    /** True if the process has the lowest priority now, which the next call must not have. */
    private boolean hadLongCall() {
        var known = priority;
        return known != null && known.isLong();
    }

    /** Lowers the priority of the process as a call uses more processor time. Blocks; called during calls. */
    private void yieldMore() {
        var known = priority;
        if (known != null) {
            calls.atWork().ifPresent(known::lookAt);
        }
    }

    public OptionalLong pid() {
        var started = process;
        return started == null ? OptionalLong.empty() : OptionalLong.of(started.pid());
    }

    /** Hands over a call; false when the process has just ended. */
    public boolean call(NodeTicket ticket) {
        if (!calls.add(ticket)) {
            return false;
        }
        var known = admission;
        if (known != null && ticket.call().urgency().concurrency() == 1) {
            known.serves(ticket.call().fence());
        }
        send(ticket.call().frame().deepCopy().put("t", "call").put("id", ticket.id()));
        return true;
    }

    private void send(ObjectNode frame) {
        outgoing.add(frame);
    }

    public void kill() {
        ending.kill();
        var started = process;
        if (started != null) {
            started.destroyForcibly();
        }
    }

    /**
     * Compares the resources of the process with its limits and ends it when it exceeds one. An excess between calls is only
     * reported, because only the owner knows if the process has a call again. Blocks.
     *
     * @param isAtRest true if it has had no call for a while
     * @return true if it exceeds the limits of an idle process
     */
    public boolean isRestless(boolean isAtRest) {
        var pid = pid();
        if (pid.isEmpty() || !isAlive() || !guard.begin()) {
            return false;
        }
        try {
            var excess = isAtRest ? guard.lookAtRest(pid.getAsLong()) : guard.lookAtWork(pid.getAsLong());
            if (!isAtRest) {
                yieldMore();
            }
            excess.ifPresent(this::endFor);
            return excess.filter(ProcessGuard.Excess.REST::equals).isPresent();
        } finally {
            guard.end();
        }
    }

    private void endFor(ProcessGuard.Excess excess) {
        switch (excess) {
            case MEMORY -> {
                ending.exceedMemory();
                kill();
            }
            case FILES -> breakOff(overQuota());
            case THREADS ->
                breakOff("the piece started more than " + launch.bounds().threadsMax() + " threads");
            case FIRST_THREAD -> breakOff("the main thread of the piece's process ended before its other threads");
            case REST -> {}
        }
    }

    /** Ends the process if its files exceed the quota after a call. Blocks. */
    private boolean endsOverQuota() {
        var pid = process.pid();
        if (!launch.runsCode()) {
            return false;
        }
        if (guard.isOverQuota(pid)) {
            breakOff(overQuota());
            return true;
        }
        holdsUnnamed = guard.holdsUnnamed(pid);
        return false;
    }

    private String overQuota() {
        return "the piece wrote more than " + (launch.scratch().bytesMax() >> 20)
                + " MB, or too many files, into its scratch folder";
    }

    private void run() {
        try {
            spawn();
        } catch (IOException | OutOfMemoryError failure) {
            abandon();
            ended(failure.getMessage());
            return;
        }
        try {
            write();
        } catch (IOException failure) {
            LOG.debug("a piece process no longer reads its input", failure);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private void abandon() {
        var started = process;
        if (started != null) {
            started.destroyForcibly();
            watchdog.forget(started.pid());
        }
    }

    private void spawn() throws IOException {
        ending.begin();
        var admitted = launch.admit(this::breakOff);
        admission = admitted.orElse(null);
        var started = launch.begin(admitted);
        watchdog.watch(started.pid());
        process = started;
        if (launch.runsCode()) {
            // The start computes, too; processes that wake meanwhile take precedence.
            var starting = launch.isolation().priorityOf(started.toHandle());
            priority = starting;
            Thread.startVirtualThread(starting::starting);
        }
        if (ending.isKilled()) {
            started.destroyForcibly();
        }
        var errorsRead = threads.begin("node-errors", () -> readErrors(started));
        threads.begin("node-read", () -> read(started, errorsRead));
    }

    private void readErrors(Process started) {
        if (!errors.read(started.getErrorStream())) {
            breakOff("the piece wrote more than " + (StderrTail.BYTES_MAX >> 20)
                    + " MB into the error output of its process");
        }
    }

    private void write() throws IOException, InterruptedException {
        try (var out = new BufferedOutputStream(process.getOutputStream(), 1 << 16)) {
            while (process.isAlive()) {
                var frame = outgoing.poll(1, TimeUnit.SECONDS);
                if (frame != null) {
                    out.write(Json.bytes(frame));
                    out.write('\n');
                    out.flush();
                    if (frame.path("t").asText().equals("ctxResult")) {
                        calls.taken();
                    }
                }
            }
        }
    }

    private void read(Process started, Thread errorsRead) {
        try {
            var lines = new FrameReader(started.getInputStream());
            var strays = 0;
            for (var line = lines.readLine(); line != null && !ending.isBroken(); line = lines.readLine()) {
                var frame = HostFrame.in(line);
                strays = frame == null ? strays + 1 : 0;
                if (frame != null) {
                    take(frame, line.length);
                } else if (HostFrame.beginsWithOne(line)) {
                    breakOff("the answer of the piece cannot be decoded");
                } else if (strays > STRAY_LINES_MAX) {
                    breakOff("the piece wrote into the pipe of its process");
                }
            }
        } catch (IOException unreadable) {
            // The end of a killed process is expected and its reason is known.
            if (!ending.isKilled()) {
                breakOff(unreadable.getMessage());
            }
        }
        try {
            errorsRead.join(ERRORS_MS_MAX);
            if (!started.waitFor(EXIT_MS_MAX, TimeUnit.MILLISECONDS)) {
                // The process closed its output but is alive.
                started.destroyForcibly().waitFor();
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        watchdog.forget(started.pid());
        ended(ending.lastWords(started, errors));
    }

    private void breakOff(String reason) {
        ending.breakOff(reason);
        kill();
    }

    private void take(JsonNode frame, int bytes) {
        switch (frame.path("t").asText()) {
            case "ready" -> {
                if (ready) {
                    breakOff("the host reported twice that it is ready");
                } else if (frame.path("protocol").asInt() == PROTOCOL_VERSION) {
                    ready = true;
                    guard.ready(process.pid());
                    owner.ready(this);
                } else {
                    breakOff("the host uses another protocol version");
                }
            }
            case "result" -> {
                residentBytes = frame.path("rss").asLong();
                calls.remove(frame.path("id").asText()).ifPresent(ticket -> {
                    // The process is ended before its caller receives the result, so that no further call uses it.
                    var how = endsOverQuota()
                            ? new NodeResult.Broke(overQuota(), ticket.printed())
                            : HostFrame.resultOf(frame, ticket.printed());
                    end(ticket, how);
                    settle(ticket, how);
                    owner.finished(this);
                });
            }
            case "begun" -> calls.begun(frame.path("id").asText());
            case "log" ->
                calls.print(
                        frame.path("call").asText(),
                        frame.path("stream").asText().equals("stderr"),
                        frame.path("text").asText());
            case "late" -> {
                var first = !late;
                late = true;
                calls.print(
                        frame.path("call").asText(),
                        true,
                        "Uncaught " + frame.at("/error/message").asText() + "\n");
                if (first) {
                    owner.finished(this);
                }
            }
            case "ctx" ->
                calls.ask(frame, bytes, launch.exchange(), this::send)
                        .ifPresent(excess -> breakOff("the piece sent " + excess));
            default -> breakOff("the host sent a frame of an unknown kind");
        }
    }

    /** Lets the process use every processor after a call that returned, unless its program is suspected. */
    private void settle(NodeTicket ticket, NodeResult how) {
        var known = priority;
        if (known != null && !launch.suspected() && how instanceof NodeResult.Returned) {
            known.endedWell(ticket);
        }
    }

    private void end(NodeTicket ticket, NodeResult how) {
        // A call that was given up has its result already, and the process was killed for it.
        if (!ticket.hasEnded()) {
            owner.ends(ticket, how);
            ticket.end(how);
        }
    }

    private void ended(String lastWords) {
        var known = admission;
        if (known != null) {
            known.close();
        }
        var unbegun = calls.end(ticket -> end(ticket, ending.resultOf(process, errors, ticket.printed())));
        try {
            FolderTree.discard(launch.exchange());
        } catch (UncheckedIOException left) {
            LOG.warn("a folder of a piece process could not be removed", left);
        }
        owner.ended(this, unbegun, lastWords);
    }
}
