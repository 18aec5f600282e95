package io.millrace.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counts of the tool on small corpora: a fallen case is counted, shown, and decides the exit status. */
final class CorporaTest {
    private static final String UNREADY = "not ready";

    private final KindTable table = new KindTable();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

    @HostileKind("held kind")
    static final class HeldCases {
        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3})
        void holds(int index) {
            assertThat(index).isPositive();
        }

        @Test
        @HostileKind("another kind")
        void holdsAsAnotherKind() {
            assertThat(index()).isPositive();
        }

        private static int index() {
            return 1;
        }
    }

    @HostileKind("mixed kind")
    static final class MixedCases {
        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void fallsOnTwo(int index) {
            assertThat(index).as("index\nof two lines").isEqualTo(1);
        }

        @Test
        void needsAnotherMachine() {
            assumeTrue(System.getProperty("absent-property") != null, "no such machine");
        }
    }

    @Tag("hostile")
    static final class BrokenCorners {
        @BeforeAll
        static void fall() {
            assertThat(UNREADY).as("cannot be set up").isEmpty();
        }

        @Test
        void isNotReached() {
            assertThat(UNREADY).as("reached").isEmpty();
        }
    }

    static final class UntaggedCases {
        @Test
        void isNoAttack() {
            assertThat(UNREADY).as("an untagged case was run").isEmpty();
        }
    }

    private boolean run(Class<?>... types) throws InterruptedException {
        return Corpora.of(types).run(table, Duration.ofMinutes(1), out);
    }

    @Test
    void countsHeldCasesByKind() throws Exception {
        assertThat(run(HeldCases.class, UntaggedCases.class)).isTrue();

        assertThat(table.of("held kind").tried()).isEqualTo(3);
        assertThat(table.of("another kind").held()).isEqualTo(1);
        assertThat(table.hasHeld()).isTrue();
        assertThat(table.text()).contains("all                                       4      4      0");
    }

    @Test
    void countsFallenAndUntriedCases() throws Exception {
        assertThat(run(HeldCases.class, MixedCases.class)).isTrue();

        var tally = table.of("mixed kind");
        assertThat(List.of(tally.tried(), tally.held(), tally.fell(), tally.untried()))
                .containsExactly(2, 1, 1, 1);
        assertThat(table.hasHeld()).isFalse();
        assertThat(table.text())
                .contains("FELL: mixed kind: ", "index of two lines", "1 not tried: ", "no such machine");
    }

    @Test
    void countsAClassThatCannotBeSetUpAsFallen() throws Exception {
        assertThat(run(BrokenCorners.class)).isTrue();

        assertThat(table.of("broken corners").fell()).isEqualTo(1);
        assertThat(table.hasHeld()).isFalse();
    }

    @Test
    void holdsNothing_whenNothingWasTried() throws Exception {
        assertThat(run(UntaggedCases.class)).isTrue();
        assertThat(table.hasHeld()).isFalse();
    }

    @Test
    void reportsThatTheTimeWasOver() throws Exception {
        assertThat(Corpora.of(HeldCases.class).run(table, Duration.ZERO, out)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void succeedsExceptWithTheNegativeControl(boolean hasControl) throws Exception {
        var words =
                hasControl ? List.of("--kinds", "held kind", "--negative-control") : List.of("--kinds", "held kind");
        var tool = new Hostile(HostilePlan.parse(words), Path.of("absent"), out);

        assertThat(tool.attack(Corpora.of(HeldCases.class))).isEqualTo(!hasControl);
        assertThat(printed.toString(StandardCharsets.UTF_8).contains("FELL: negative control"))
                .isEqualTo(hasControl);
    }
}
