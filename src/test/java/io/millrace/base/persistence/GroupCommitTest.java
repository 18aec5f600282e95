package io.millrace.base.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupCommitTest {
    private static final GroupCommit.Limits LIMITS = new GroupCommit.Limits(1, 10, 1_000, 25, 10_000, 500);

    private final List<List<String>> flushes = new ArrayList<>();
    private final List<Promise<List<String>>> answers = new ArrayList<>();
    private final List<Long> pauses = new ArrayList<>();

    /** Controls whether the database answers, and for how long it has not. */
    private final List<Promise<Void>> looks = new ArrayList<>();

    private final AtomicLong silenceMs = new AtomicLong();

    @Test
    void flushesAtOnce_whenIdle() {
        var writer = held(LIMITS);

        var result = writer.submit("a");

        assertThat(flushes).containsExactly(List.of("a"));
        assertThat(result.isComplete()).isFalse();
        answer(0);
        assertThat(result.result()).isEqualTo("written a");
        assertThat(pauses).isEmpty();
    }

    @Test
    void gathersWhatArrives_whileAFlushIsUnderWay() {
        var writer = held(LIMITS);
        var first = writer.submit("a");
        var second = writer.submit("b");
        var third = writer.submit("c");

        answer(0);

        assertThat(first.succeeded()).isTrue();
        assertThat(flushes).containsExactly(List.of("a"), List.of("b", "c"));
        answer(1);
        assertThat(second.result()).isEqualTo("written b");
        assertThat(third.result()).isEqualTo("written c");
    }

    @Test
    void boundsAFlush_byItemsAndByBytes() {
        var writer = held(new GroupCommit.Limits(1, 2, 6, 25, 10_000, 500));
        writer.submit("first");
        writer.submit("ab");
        writer.submit("cd");
        writer.submit("ef");
        writer.submit("longer than six");

        IntStream.range(0, 4).forEach(this::answer);

        assertThat(flushes)
                .containsExactly(List.of("first"), List.of("ab", "cd"), List.of("ef"), List.of("longer than six"));
    }

    @Test
    void refusesWithTooMany_whenTheBacklogIsFull() {
        var writer = held(LIMITS);
        IntStream.rangeClosed(0, LIMITS.backlogItemsMax()).forEach(number -> writer.submit("" + number));

        var refused = writer.submit("one too many");

        assertThat(codeOf(refused)).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
        assertThat(writer.backlog()).isEqualTo(LIMITS.backlogItemsMax());
    }

    @Test
    void refusesWithTooMany_whenTheBacklogIsTooHeavy() {
        var writer = held(new GroupCommit.Limits(1, 10, 1_000, 25, 5, 500));
        writer.submit("under way");
        writer.submit("abc");

        assertThat(codeOf(writer.submit("defg"))).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
        assertThat(writer.submit("de").failed()).isFalse();
    }

    @Test
    void failsOnlyTheGuilty_whenAFlushIsPoisoned() {
        var writer = judged(LIMITS);
        writer.submit("hold");
        var neighbours = IntStream.range(0, 9)
                .mapToObj(number -> writer.submit(number == 6 ? "poison" : "item " + number))
                .toList();

        answer(0);

        IntStream.range(0, 9).forEach(number -> {
            if (number == 6) {
                assertThat(neighbours.get(number).cause()).hasMessage("cannot write poison");
            } else {
                assertThat(neighbours.get(number).result()).isEqualTo("written item " + number);
            }
        });
    }

    @Test
    void triesAgain_whenTheDatabaseIsUnavailableForAMoment() {
        var writer = held(LIMITS);
        var result = writer.submit("a");

        answers.get(0).fail(ApiException.of(ErrorCode.UNAVAILABLE));
        answer(1);

        assertThat(result.result()).isEqualTo("written a");
        assertThat(flushes).containsExactly(List.of("a"), List.of("a"));
        assertThat(pauses).hasSize(1);
    }

    @Test
    void failsUnavailable_whenThePatienceEnds() {
        var writer = new GroupCommit<String, String>(
                LIMITS, String::length, _ -> Future.failedFuture(ApiException.of(ErrorCode.UNAVAILABLE)), this::pause);

        var result = writer.submit("a");

        assertThat(codeOf(result)).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(pauses.stream().mapToLong(Long::longValue).sum()).isBetween(500L, 1_500L);
    }

    @ParameterizedTest
    @CsvSource({
        "UNAVAILABLE, UNAVAILABLE, UNAVAILABLE",
        "OUTCOME_UNKNOWN, UNAVAILABLE, OUTCOME_UNKNOWN",
        "UNAVAILABLE, OUTCOME_UNKNOWN, OUTCOME_UNKNOWN",
        "OUTCOME_UNKNOWN, OUTCOME_UNKNOWN, OUTCOME_UNKNOWN"
    })
    void failsOutcomeUnknown_whenAnyFlushOfTheItemMayHaveBeenCommitted(
            ErrorCode first, ErrorCode second, ErrorCode told) {
        var failures = new ArrayDeque<>(List.of(first));
        var writer = new GroupCommit<String, String>(
                LIMITS,
                String::length,
                _ -> Future.failedFuture(ApiException.of(failures.isEmpty() ? second : failures.remove())),
                this::pause);

        assertThat(codeOf(writer.submit("a"))).isEqualTo(told);
    }

    @Test
    void refusesTheImpatientEarly_andAtOnceLater_whileThePatientWait() {
        // given two writes in one flush, others queued behind them, and a database that becomes unavailable
        var writer = impatientWith("caller");
        var patient = writer.submit("step");
        var behind = writer.submit("caller behind");
        var patientBehind = writer.submit("step behind");

        // when
        fail(0);
        fail(1);
        fail(2);

        // then the waiting caller fails, and later callers fail without another attempt
        assertThat(codeOf(behind)).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(codeOf(writer.submit("caller too late"))).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(flushes).hasSize(4).allMatch(flush -> flush.equals(List.of("step")));
        assertThat(patient.isComplete()).isFalse();

        // when the database is available again
        answer(3);
        answer(4);

        // then no other caller is refused
        assertThat(patient.result()).isEqualTo("written step");
        assertThat(patientBehind.result()).isEqualTo("written step behind");
        var next = writer.submit("caller");
        answer(5);
        assertThat(next.result()).isEqualTo("written caller");
    }

    @Test
    void triesForEachCaller_whenNoOtherCallerWaits() {
        // given an unavailable database
        var writer = impatientWith("caller");
        var refused = writer.submit("caller");
        IntStream.rangeClosed(0, 2).forEach(this::fail);
        assertThat(codeOf(refused)).isEqualTo(ErrorCode.UNAVAILABLE);

        // when it is available again, which only an attempt can show
        var next = writer.submit("caller");
        answer(3);

        // then
        assertThat(next.result()).isEqualTo("written caller");
    }

    @Test
    void failsImpatientCallers_andKeepsWaitingForTheOthers_whenAFlushIsNotAnswered() {
        // given a flush in progress with both kinds, and some queued behind it
        var writer = watched();
        writer.submit("step before");
        var caller = writer.submit("caller");
        var patient = writer.submit("step");
        answer(0);
        var behind = writer.submit("caller behind");

        // when the database has been silent for less than any patience
        silenceMs.set(30);
        looks.getLast().complete();

        // then all wait
        assertThat(caller.isComplete()).isFalse();
        assertThat(behind.isComplete()).isFalse();

        // when it has been silent for longer
        silenceMs.set(31);
        looks.getLast().complete();

        // then the impatient callers fail: the outcome of the one in the flush is unknown, the others were not written
        assertThat(codeOf(caller)).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(codeOf(behind)).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(codeOf(writer.submit("caller too late"))).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(patient.isComplete()).isFalse();

        // when the flush is answered after all
        silenceMs.set(0);
        answer(1);

        // then the other callers have their results, and polling has ended
        assertThat(patient.result()).isEqualTo("written step");
        assertThat(flushes).containsExactly(List.of("step before"), List.of("caller", "step"));
        looks.getLast().complete();
        assertThat(looks).hasSize(3);
    }

    @Test
    void writesWhoWasToldNoMore_whenTheFlushIsRepeated() {
        var writer = watched();
        writer.submit("step before");
        var caller = writer.submit("caller");
        var patient = writer.submit("step");
        answer(0);

        // given an impatient caller that has failed
        silenceMs.set(31);
        looks.getLast().complete();
        assertThat(codeOf(caller)).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);

        // when the flush fails, and its pause is over
        fail(1);
        looks.getLast().complete();

        // then
        assertThat(flushes.getLast()).containsExactly("step");
        answer(2);
        assertThat(patient.result()).isEqualTo("written step");
    }

    @Test
    void failsTheItem_whenTheFlushThrowsOrAnswersTooFew() {
        var throwing = new GroupCommit<String, String>(
                LIMITS,
                String::length,
                _ -> {
                    throw new IllegalStateException("thrown");
                },
                this::pause);
        var forgetful = new GroupCommit<String, String>(
                LIMITS, String::length, _ -> Future.succeededFuture(List.of()), this::pause);

        assertThat(throwing.submit("a").cause()).hasMessage("thrown");
        assertThat(forgetful.submit("a").cause()).hasMessage("expected 1 results of a flush, found 0");
    }

    @Test
    void drains_whenTheLastFlushIsDone() {
        var writer = held(LIMITS);
        assertThat(writer.drain().succeeded()).isTrue();
        writer.submit("a");
        writer.submit("b");

        var drained = writer.drain();

        answer(0);
        assertThat(drained.isComplete()).isFalse();
        answer(1);
        assertThat(drained.succeeded()).isTrue();
    }

    /** Writer whose callers are less patient than its steps, and that checks whether the database answers. */
    private GroupCommit<String, String> watched() {
        return new GroupCommit<>(
                LIMITS, String::length, GroupCommitTest::patienceOf, this::hold, _ -> held(looks), silenceMs::get);
    }

    /** Writer whose flushes wait for {@link #answer}. */
    private GroupCommit<String, String> held(GroupCommit.Limits limits) {
        return new GroupCommit<>(limits, String::length, this::hold, this::pause);
    }

    /**
     * Writer whose flushes wait for {@link #answer}; items that begin with a certain word wait for at most two pauses.
     */
    private GroupCommit<String, String> impatientWith(String word) {
        return new GroupCommit<>(
                LIMITS,
                String::length,
                item -> item.startsWith(word) ? 30 : Long.MAX_VALUE,
                this::hold,
                ms -> ms < 250 ? pause(ms) : Promise.<Void>promise().future(),
                () -> 0);
    }

    private static long patienceOf(String item) {
        return item.startsWith("caller") ? 30 : Long.MAX_VALUE;
    }

    private static Future<Void> held(List<Promise<Void>> waits) {
        var promise = Promise.<Void>promise();
        waits.add(promise);
        return promise.future();
    }

    private void fail(int flush) {
        answers.get(flush).fail(ApiException.of(ErrorCode.UNAVAILABLE));
    }

    /** Writer that holds its first flush, and decides the others by their content. */
    private GroupCommit<String, String> judged(GroupCommit.Limits limits) {
        return new GroupCommit<>(
                limits,
                String::length,
                batch -> {
                    if (flushes.isEmpty()) {
                        return hold(batch);
                    }
                    return batch.contains("poison")
                            ? Future.failedFuture(new IllegalArgumentException("cannot write poison"))
                            : Future.succeededFuture(written(batch));
                },
                this::pause);
    }

    private Future<List<String>> hold(List<String> batch) {
        var promise = Promise.<List<String>>promise();
        flushes.add(batch);
        answers.add(promise);
        return promise.future();
    }

    private void answer(int flush) {
        answers.get(flush).complete(written(flushes.get(flush)));
    }

    private Future<Void> pause(long ms) {
        pauses.add(ms);
        return Future.succeededFuture();
    }

    private static List<String> written(List<String> batch) {
        return batch.stream().map(item -> "written " + item).toList();
    }

    private static ErrorCode codeOf(Future<?> future) {
        assertThat(future.failed()).isTrue();
        return ((ApiException) future.cause()).code();
    }
}
