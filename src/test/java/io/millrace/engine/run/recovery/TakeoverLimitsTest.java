package io.millrace.engine.run.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.run.OwnedRun;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TakeoverLimitsTest {
    private final TakeoverLimits limits = new TakeoverLimits(10, 3);
    private final List<String> begun = new ArrayList<>();

    @Test
    void takesOneSuspectUpAtATime() {
        limits.takeUp(() -> begun.add("one"));
        limits.takeUp(() -> begun.add("two"));
        assertThat(begun).containsExactly("one");

        limits.passed();

        assertThat(begun).containsExactly("one", "two");
    }

    @Test
    void takesEachSuspectUpOnce_inAnyOrder() {
        limits.close();
        limits.takeUp(() -> begun.add("culprit"));
        limits.takeUp(() -> begun.add("one"));
        limits.takeUp(() -> begun.add("two"));

        limits.open();
        limits.passed();
        limits.passed();

        assertThat(begun).containsExactlyInAnyOrder("one", "two", "culprit");
    }

    @Test
    void keepsSuspectsWaiting_untilThoseWithOneCrashHaveGotOn() {
        // Given
        limits.startBeforeSuspects("a");
        limits.startBeforeSuspects("b");

        // When
        limits.takeUp(() -> begun.add("suspect"));
        limits.progressed("a");
        limits.progressed("another");
        assertThat(begun).isEmpty();
        limits.progressed("b");
        limits.progressed("b");

        // Then
        assertThat(begun).containsExactly("suspect");
    }

    @Test
    void takesNoSuspectUp_beforeTheServerListens() {
        limits.close();
        limits.takeUp(() -> begun.add("suspect"));
        limits.startBeforeSuspects("a");
        limits.progressed("a");
        assertThat(begun).isEmpty();

        limits.open();

        assertThat(begun).containsExactly("suspect");
    }

    @Test
    void suspectsFromTheSecondCrashOn_andSetsAsideBeyondTheSetting() {
        assertThat(limits.isSuspect(crashed(1))).isFalse();
        assertThat(limits.isSuspect(crashed(2))).isTrue();
        assertThat(limits.isToBeSetAside(crashed(3))).isFalse();
        assertThat(limits.isToBeSetAside(crashed(4))).isTrue();
        assertThat(limits.isPastHelp(crashed(4))).isFalse();
        assertThat(limits.isPastHelp(crashed(5))).isTrue();
    }

    private static OwnedRun crashed(int times) {
        return new OwnedRun("run", 1, true, times);
    }
}
