package io.millrace.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each kind of broken promise is found: a harness that missed one would prove nothing. */
final class ReckoningTest {
    private static final List<String> WELL = List.of("SUCCEEDED");
    private static final List<String> SET_ASIDE = List.of("INTERNAL_ERROR");

    private static Sink.Call call(String step, int number, String key) {
        return new Sink.Call(step, number, key);
    }

    @Test
    void isClean_whenEveryEventEndedOnce_andOnlyAStepInFlightWasRepeated() {
        var calls =
                List.of(call("first", 1, "a"), call("first", 1, "a"), call("second", 1, "b"), call("second", 1, "b"));

        var reckoning = Reckoning.of(Set.of(1), Map.of(1, WELL, 2, WELL), calls, 0);

        assertThat(reckoning.isClean()).isTrue();
        assertThat(reckoning.repeated()).isEqualTo(2);
        assertThat(reckoning.text()).startsWith("accepted 1, ended 1, lost 0, doubled 0, stuck 0");
    }

    @Test
    void findsWhatWasLost_andWhatFailed() {
        var reckoning = Reckoning.of(Set.of(1, 2, 3), Map.of(1, WELL, 2, List.of("FAILED")), List.of(), 0);

        assertThat(reckoning.lost()).containsExactly(3);
        assertThat(reckoning.failed()).containsExactly(2);
        assertThat(reckoning.isClean()).isFalse();
    }

    @Test
    void findsTwoRunsOfOneEvent() {
        var reckoning = Reckoning.of(Set.of(1), Map.of(1, List.of("SUCCEEDED", "SUCCEEDED")), List.of(), 0);

        assertThat(reckoning.doubled()).containsOnlyKeys(1);
        assertThat(reckoning.isClean()).isFalse();
    }

    @Test
    void findsAStepThatWasDoneAgain_afterItWasRecorded_orWithAnotherKey() {
        var again = List.of(call("first", 1, "a"), call("second", 1, "b"), call("first", 1, "a"));
        var otherKey = List.of(call("first", 2, "a"), call("first", 2, "c"));

        assertThat(Reckoning.of(Set.of(1), Map.of(1, WELL), again, 0).doubled()).containsOnlyKeys(1);
        assertThat(Reckoning.of(Set.of(2), Map.of(2, WELL), otherKey, 0).doubled())
                .containsOnlyKeys(2);
    }

    @Test
    void findsWhatIsStuck() {
        var reckoning = Reckoning.of(Set.of(1), Map.of(1, List.of("RUNNING")), List.of(), 1);

        assertThat(reckoning.isClean()).isFalse();
        assertThat(reckoning.lost()).isEmpty();
        assertThat(reckoning.failed()).isEmpty();
    }

    @Test
    void wantsAPoisonedRunToBeSetAside_andNoOther() {
        var statuses = Map.of(1, SET_ASIDE, 2, SET_ASIDE, 3, WELL);

        var reckoning = Reckoning.of(Set.of(1, 2, 3), Set.of(1, 3), statuses, List.of(), 0);

        assertThat(reckoning.setAside()).isEqualTo(1);
        assertThat(reckoning.failed()).containsExactlyInAnyOrder(2, 3);
        assertThat(reckoning.isClean()).isFalse();
    }

    @Test
    void isClean_whenOnlyThePoisonedRunWasSetAside() {
        var reckoning = Reckoning.of(Set.of(1, 2), Set.of(1), Map.of(1, SET_ASIDE, 2, WELL), List.of(), 0);

        assertThat(reckoning.isClean()).isTrue();
        assertThat(reckoning.text()).contains("set aside 1");
    }
}
