package io.millrace.base.persistence;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * Commits the work of many callers together: items that arrive during a flush form the next one ("batch while busy"),
 * so that an idle writer adds no delay and a busy one pays for one commit instead of many (DESIGN 2).
 *
 * <p>Promise: an item's future succeeds only after the flush that held it has succeeded. A flush that fails because of its
 * content is divided until the rejected item is alone; the others are committed. A flush that fails because the database is
 * unavailable is retried until the patience of its items ends; an item with less patience than the others fails earlier, and
 * at once when it arrives during an outage that already lasts longer, even while a flush waits for a silent database. A flush
 * may therefore see an item twice, and must be one idempotent transaction ({@code on conflict do nothing}, or a fencing
 * number).
 *
 * <p>Confined to one event loop: not thread-safe, by design. Has one timer at most, and none while it is idle.
 *
 * @param <T> type of the items
 * @param <R> type of a caller's result
 */
public final class GroupCommit<T, R> {
    /**
     * Limits of a writer.
     *
     * @param flushesMax concurrent flushes; with more than 1, batches are unordered
     * @param itemsPerFlushMax items in one flush
     * @param bytesPerFlushMax bytes in one flush; a single larger item is written alone
     * @param backlogItemsMax items that wait at most
     * @param backlogBytesMax bytes that wait at most
     * @param patienceMs time that items wait for an unavailable database
     */
    public record Limits(
            int flushesMax,
            int itemsPerFlushMax,
            long bytesPerFlushMax,
            int backlogItemsMax,
            long backlogBytesMax,
            long patienceMs) {
        /** Limits for small rows. */
        public static Limits usual() {
            return new Limits(1, 500, 4 << 20, 20_000, 64 << 20, 5_000);
        }
    }

    private static final long BACKOFF_MS = 20;
    private static final long BACKOFF_MAX_MS = 1_000;

    /** Interval of checks that the database answers the current flush. */
    private static final long LOOK_MS = 250;

    private static final class Pending<T, R> {
        private final T item;
        private final long bytes;
        private final Promise<R> promise = Promise.promise();

        /** True while a flush with it is in progress, or after one failed with an unknown outcome. */
        private boolean mayBeWritten;

        Pending(T item, long bytes) {
            this.item = item;
            this.bytes = bytes;
        }

        T item() {
            return item;
        }

        /** Returns true if its caller has been answered, because its patience ended. */
        boolean isTold() {
            return promise.future().isComplete();
        }

        void failUnavailable() {
            promise.tryFail(mayBeWritten ? DatabaseFailure.unknown() : DatabaseFailure.away());
        }
    }

    private final Limits limits;
    private final ToLongFunction<T> bytesOf;
    private final ToLongFunction<T> patienceMsOf;
    private final Function<List<T>, Future<List<R>>> flush;
    private final LongFunction<Future<Void>> delay;
    private final Optional<LongSupplier> unavailableMs;
    private final Deque<Pending<T, R>> backlog = new ArrayDeque<>();
    private final List<List<Pending<T, R>>> flushing = new ArrayList<>();
    private final List<Promise<Void>> drained = new ArrayList<>();
    private long backlogBytes;
    private int underWay;
    private boolean isLooking;

    /** Time for which the current flush has been delayed by the database; negative while it has not been. */
    private long outageMs = -1;

    /**
     * Makes a writer.
     *
     * @param bytesOf estimated memory of an item
     * @param flush writes a batch; returns one result for each item, in their order
     * @param delay completes after the given number of milliseconds, on this writer's event loop
     */
    public GroupCommit(
            Limits limits,
            ToLongFunction<T> bytesOf,
            Function<List<T>, Future<List<R>>> flush,
            LongFunction<Future<Void>> delay) {
        this(limits, bytesOf, _ -> limits.patienceMs, flush, delay, Optional.empty());
    }

    /**
     * Makes a writer of items with individual patience.
     *
     * @param patienceMsOf time that an item waits for an unavailable database, within the limits
     * @param unavailableMs time for which the database has been known to be unavailable or silent
     */
    public GroupCommit(
            Limits limits,
            ToLongFunction<T> bytesOf,
            ToLongFunction<T> patienceMsOf,
            Function<List<T>, Future<List<R>>> flush,
            LongFunction<Future<Void>> delay,
            LongSupplier unavailableMs) {
        this(limits, bytesOf, patienceMsOf, flush, delay, Optional.of(unavailableMs));
    }

    private GroupCommit(
            Limits limits,
            ToLongFunction<T> bytesOf,
            ToLongFunction<T> patienceMsOf,
            Function<List<T>, Future<List<R>>> flush,
            LongFunction<Future<Void>> delay,
            Optional<LongSupplier> unavailableMs) {
        this.limits = limits;
        this.bytesOf = bytesOf;
        this.patienceMsOf = patienceMsOf;
        this.flush = flush;
        this.delay = delay;
        this.unavailableMs = unavailableMs;
    }

    /**
     * Writes an item with the next flush; fails with TOO_MANY_REQUESTS when the backlog is full, with UNAVAILABLE when the
     * item was not written because the database is unavailable for longer than the item waits, and with OUTCOME_UNKNOWN when
     * it was then part of a flush with an unknown outcome.
     */
    public Future<R> submit(T item) {
        if (isImpatient(item) && isTooLong(item)) {
            return Future.failedFuture(DatabaseFailure.away());
        }
        var bytes = bytesOf.applyAsLong(item);
        var isFull = backlog.size() >= limits.backlogItemsMax
                || !backlog.isEmpty() && backlogBytes + bytes > limits.backlogBytesMax;
        if (isFull) {
            return Future.failedFuture(
                    ApiException.of(ErrorCode.TOO_MANY_REQUESTS, "too many writes are waiting for the database"));
        }
        var pending = new Pending<T, R>(item, bytes);
        backlog.addLast(pending);
        backlogBytes += bytes;
        flushWhatWaits();
        return pending.promise.future();
    }

    public int backlog() {
        return backlog.size();
    }

    /** Succeeds as soon as no item waits or is being written. */
    public Future<Void> drain() {
        if (underWay == 0 && backlog.isEmpty()) {
            return Future.succeededFuture();
        }
        var promise = Promise.<Void>promise();
        drained.add(promise);
        return promise.future();
    }

    private void flushWhatWaits() {
        while (underWay < limits.flushesMax && !backlog.isEmpty()) {
            underWay++;
            var batch = nextBatch();
            flushing.add(batch);
            write(batch).onComplete(_ -> {
                underWay--;
                flushing.remove(batch);
                outageMs = -1;
                flushWhatWaits();
                announceDrained();
            });
        }
        if (underWay > 0 && !isLooking) {
            unavailableMs.ifPresent(_ -> lookLater());
        }
    }

    private void lookLater() {
        isLooking = true;
        delay.apply(LOOK_MS).onComplete(_ -> {
            isLooking = false;
            if (underWay > 0) {
                refuseImpatient();
                lookLater();
            }
        });
    }

    private List<Pending<T, R>> nextBatch() {
        var batch = new ArrayList<Pending<T, R>>();
        var bytes = 0L;
        while (!backlog.isEmpty() && batch.size() < limits.itemsPerFlushMax) {
            var next = backlog.peekFirst();
            if (!batch.isEmpty() && bytes + next.bytes > limits.bytesPerFlushMax) {
                break;
            }
            backlog.removeFirst();
            backlogBytes -= next.bytes;
            bytes += next.bytes;
            batch.add(next);
        }
        return batch;
    }

    /** Writes a batch; the returned future always succeeds, once every item has its answer. */
    private Future<Void> write(List<Pending<T, R>> batch) {
        var doubtful = batch.stream().filter(pending -> pending.mayBeWritten).toList();
        batch.forEach(pending -> pending.mayBeWritten = true);
        return flushed(batch).compose(results -> answer(batch, results), failure -> {
            if (!isOutcomeUnknown(failure)) {
                batch.forEach(pending -> pending.mayBeWritten = false);
                doubtful.forEach(pending -> pending.mayBeWritten = true);
            }
            return afterFailure(batch, failure);
        });
    }

    private Future<List<R>> flushed(List<Pending<T, R>> batch) {
        try {
            return flush.apply(batch.stream().map(Pending::item).toList()).map(results -> checked(batch, results));
        } catch (RuntimeException | StackOverflowError thrown) {
            return Future.failedFuture(thrown);
        }
    }

    private List<R> checked(List<Pending<T, R>> batch, List<R> results) {
        if (results.size() != batch.size()) {
            throw new IllegalStateException(
                    "expected " + batch.size() + " results of a flush, found " + results.size());
        }
        return results;
    }

    private Future<Void> answer(List<Pending<T, R>> batch, List<R> results) {
        for (var i = 0; i < batch.size(); i++) {
            batch.get(i).promise.tryComplete(results.get(i));
        }
        return Future.succeededFuture();
    }

    private Future<Void> afterFailure(List<Pending<T, R>> batch, Throwable failure) {
        if (isUnavailable(failure)) {
            return writeLater(batch);
        }
        if (batch.size() == 1) {
            return fail(batch, failure);
        }
        var middle = batch.size() / 2;
        return write(batch.subList(0, middle)).compose(_ -> write(batch.subList(middle, batch.size())));
    }

    private Future<Void> writeLater(List<Pending<T, R>> batch) {
        outageMs = Math.max(0, outageMs);
        refuseImpatient();
        var patient = batch.stream()
                .filter(pending -> !pending.isTold() && !isTooLong(pending.item))
                .toList();
        batch.stream().filter(pending -> isTooLong(pending.item)).forEach(Pending::failUnavailable);
        if (patient.isEmpty()) {
            return Future.succeededFuture();
        }
        var pauseMs = Math.clamp(outageMs, BACKOFF_MS, BACKOFF_MAX_MS);
        return delay.apply(pauseMs).compose(_ -> {
            outageMs += pauseMs;
            return write(patient);
        });
    }

    /** Fails items whose patience has ended: in the current flush, with an unknown outcome, and in the queue. */
    private void refuseImpatient() {
        if (outageMs < 0 && unavailableMs() == 0) {
            return;
        }
        var refused = new ArrayList<Pending<T, R>>();
        backlog.removeIf(pending -> {
            var isRefused = isImpatient(pending.item) && isTooLong(pending.item);
            if (isRefused) {
                backlogBytes -= pending.bytes;
                refused.add(pending);
            }
            return isRefused;
        });
        flushing.forEach(batch -> batch.stream()
                .filter(pending -> isImpatient(pending.item) && isTooLong(pending.item))
                .forEach(refused::add));
        refused.forEach(Pending::failUnavailable);
    }

    private boolean isImpatient(T item) {
        return patienceMsOf.applyAsLong(item) < limits.patienceMs;
    }

    private boolean isTooLong(T item) {
        var patienceMs = Math.min(patienceMsOf.applyAsLong(item), limits.patienceMs);
        return outageMs >= 0 && outageMs >= patienceMs || isImpatient(item) && unavailableMs() > patienceMs;
    }

    private long unavailableMs() {
        return unavailableMs.map(LongSupplier::getAsLong).orElse(0L);
    }

    private Future<Void> fail(List<Pending<T, R>> batch, Throwable failure) {
        batch.forEach(pending -> pending.promise.tryFail(failure));
        return Future.succeededFuture();
    }

    private void announceDrained() {
        if (underWay == 0 && backlog.isEmpty()) {
            var waiting = List.copyOf(drained);
            drained.clear();
            waiting.forEach(Promise::complete);
        }
    }

    /** A failure of the client itself does not say whether the flush was committed. */
    private static boolean isOutcomeUnknown(Throwable failure) {
        return ApiException.isOutcomeUnknown(failure) || DatabaseFailure.isPassing(failure);
    }

    private static boolean isUnavailable(Throwable failure) {
        return ApiException.isUnavailable(failure) || DatabaseFailure.isPassing(failure);
    }
}
