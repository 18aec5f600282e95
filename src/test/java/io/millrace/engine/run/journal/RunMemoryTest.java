package io.millrace.engine.run.journal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RunMemoryTest {
    private static final long MEGABYTE = 1 << 20;

    private final RunMemory memory = new RunMemory(10 * MEGABYTE);

    @Test
    void isFull_whenItsRunsTakeMoreThanTheLimit() {
        // given trees that take eight times their text
        var first = memory.begin(MEGABYTE);
        assertThat(memory.isFull()).isFalse();

        // when
        var second = memory.begin(0);
        second.addTree(MEGABYTE);

        // then
        assertThat(memory.isFull()).isTrue();
        first.free();
        assertThat(memory.isFull()).isFalse();
        second.free();
        assertThat(memory.used()).isZero();
    }

    @Test
    void forgetsNothing_whenChangesAreSmall() {
        // given
        var part = memory.begin(10);

        // when
        for (var change = 0; change < 1_000; change++) {
            part.addText(1_000);
        }

        // then
        assertThat(memory.used()).isBetween(900_000L, 1_010_000L);
        part.free();
        part.free();
        assertThat(memory.used()).isZero();
    }

    @Test
    void makesLargeRunsGiveWay_whenAllTogetherTakeTooMuch() {
        // given
        var small = memory.begin(0);
        var large = memory.begin(0);
        small.addText(5 * MEGABYTE);
        assertThat(small.isToGiveWay()).isFalse();

        // when
        large.addText(12 * MEGABYTE);

        // then neither exceeds the limit alone
        assertThat(large.isToGiveWay()).isTrue();
        assertThat(small.isToGiveWay()).isTrue();
        assertThat(memory.begin(0).isToGiveWay()).isFalse();
        assertThat(large.isTooLarge()).isFalse();
        large.free();
        assertThat(small.isToGiveWay()).isFalse();
    }

    @Test
    void findsARunTooLarge_thatTakesTooMuchAlone() {
        // given
        var run = memory.begin(0);

        // when
        run.addText(16 * MEGABYTE);

        // then it is not released, because it would be loaded again at the same size
        assertThat(run.isTooLarge()).isTrue();
        assertThat(run.isToGiveWay()).isFalse();
    }

    @Test
    void keepsSomeForAcceptedRuns_whileTheyWait() {
        // given
        memory.begin(MEGABYTE);
        assertThat(memory.isFullForNew()).isFalse();

        // when
        memory.waits(this, true);

        // then
        assertThat(memory.isFullForNew()).isTrue();
        assertThat(memory.isFull()).isFalse();
        memory.waits(this, false);
        assertThat(memory.isFullForNew()).isFalse();
    }

    @Test
    void letsOneReadAtATime() {
        assertThat(memory.beginReading()).isTrue();
        assertThat(memory.beginReading()).isFalse();
        memory.endReading();
        assertThat(memory.beginReading()).isTrue();
    }
}
