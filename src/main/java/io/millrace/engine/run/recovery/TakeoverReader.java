package io.millrace.engine.run.recovery;

import io.millrace.base.bus.Bus;
import io.millrace.engine.run.RunClock;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.actor.RunRegistry;
import io.millrace.engine.run.journal.RunMemory;
import io.millrace.engine.run.recovery.RunTakeover.LoadedRun;
import io.millrace.engine.run.recovery.TakeoverQueue.Entry;
import io.millrace.engine.run.store.RunOwnership;
import io.millrace.engine.run.store.StoredRun;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the runs that a shard takes up, when there is memory for them: one after another, because the memory of a value
 * is known only after parsing. A waiting run takes a few bytes of memory. Not thread-safe: confined to its shard's
 * event loop.
 */
final class TakeoverReader {
    private static final Logger LOG = LoggerFactory.getLogger(TakeoverReader.class);

    private static final int READ_AT_ONCE_MAX = 64;
    private static final long DEADLINE_MS = 60_000;
    private static final long ROOM_AGAIN_MS = 50;
    private static final long READ_AGAIN_MS = 1_000;

    private final Bus bus;
    private final RunClock clock;
    private final RunReader reading;
    private final RunMemory memory;
    private final RunRegistry registry;
    private final TakeoverLimits limits;
    private final TakeoverQueue queue;
    private final Consumer<LoadedRun> take;
    private final Consumer<String> gone;
    private final ArrayDeque<RunRows> loaded = new ArrayDeque<>();
    private boolean busy;
    private boolean timerSet;

    private record RunRows(Entry entry, StoredRun stored) {}

    /**
     * @param take continues a run that has been read
     * @param gone receives a run that is not taken up by the entry that was to be read
     */
    TakeoverReader(
            Bus bus,
            RunClock clock,
            RunReader reading,
            RunMemory memory,
            RunRegistry registry,
            TakeoverLimits limits,
            TakeoverQueue queue,
            Consumer<LoadedRun> take,
            Consumer<String> gone) {
        this.bus = bus;
        this.clock = clock;
        this.reading = reading;
        this.memory = memory;
        this.registry = registry;
        this.limits = limits;
        this.queue = queue;
        this.take = take;
        this.gone = gone;
    }

    void read(Entry entry) {
        if (queue.isCurrent(entry)) {
            queue.queue(entry);
            advance();
        } else {
            gone.accept(entry.runId());
        }
    }

    /** Memory may be available again. */
    void roomAgain() {
        if (limits.isLow()) {
            bus.publish(new Runs.TakeoversWanted());
        }
        advance();
    }

    private void advance() {
        if (busy || registry.isClosing() || loaded.isEmpty() && !queue.hasWaiting()) {
            return;
        }
        if (memory.isFull() || registry.isFull()) {
            later(ROOM_AGAIN_MS);
        } else if (loaded.isEmpty()) {
            load(queue.take(READ_AT_ONCE_MAX));
        } else if (!queue.isCurrent(loaded.getFirst().entry())) {
            gone.accept(loaded.removeFirst().entry().runId());
            clock.later(this::advance);
        } else if (memory.beginReading()) {
            parse(loaded.removeFirst());
        } else {
            later(ROOM_AGAIN_MS);
        }
    }

    private void later(long delayMs) {
        if (!timerSet) {
            timerSet = true;
            memory.waits(this, true);
            clock.setTimer(delayMs, () -> {
                timerSet = false;
                memory.waits(this, false);
                advance();
            });
        }
    }

    private void load(List<Entry> entries) {
        busy = true;
        bus.ask(new RunOwnership.Load(entries.stream().map(Entry::run).toList()), DEADLINE_MS)
                .onComplete(read -> {
                    busy = false;
                    if (read.succeeded()) {
                        loaded(entries, read.result());
                        advance();
                    } else {
                        LOG.warn(
                                "cannot read the runs to resume: {}",
                                read.cause().getMessage());
                        queue.putBack(entries);
                        later(READ_AGAIN_MS);
                    }
                });
    }

    /** A run that was not found has ended, or has another owner. */
    private void loaded(List<Entry> entries, RunOwnership.LoadResult read) {
        var stored = new HashMap<String, StoredRun>();
        read.runs().forEach(run -> stored.put(run.run().header().id(), run));
        var later = new HashSet<>(read.later());
        var again = new ArrayList<Entry>();
        for (var entry : entries) {
            var found = stored.get(entry.runId());
            if (later.contains(entry.runId())) {
                again.add(entry);
            } else if (found != null && found.run().fence() == entry.run().fence()) {
                loaded.addLast(new RunRows(entry, found));
            } else {
                notTaken(entry);
            }
        }
        queue.putBack(again);
    }

    /** Fails the waiting caller unless a later entry has inherited it. */
    private void notTaken(Entry entry) {
        if (queue.isCurrent(entry)) {
            queue.remove(entry);
            entry.waiter().lost(entry.runId(), null);
        }
        gone.accept(entry.runId());
    }

    /** The memory of the run is counted before the next one is parsed, at this shard or another. */
    private void parse(RunRows next) {
        busy = true;
        reading.read(next.stored()).onComplete(read -> {
            busy = false;
            if (read.succeeded()) {
                var run = read.result();
                var part = memory.begin(run.textBytes());
                memory.endReading();
                take.accept(new LoadedRun(next.entry(), run.run(), run.payloadBytes(), part));
            } else {
                memory.endReading();
                LOG.error("cannot read run {}", next.entry().runId(), read.cause());
                notTaken(next.entry());
            }
            advance();
        });
    }
}
