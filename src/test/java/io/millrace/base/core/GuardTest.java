package io.millrace.base.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GuardTest {
    private final List<Throwable> defects = new ArrayList<>();

    @Test
    void reportsADefect() {
        var defect = new IllegalStateException("defect");

        Guard.run(
                () -> {
                    throw defect;
                },
                defects::add);

        assertThat(defects).containsExactly(defect);
    }

    @Test
    void reportsARecursionThatIsTooDeep() {
        Guard.run(GuardTest::recurse, defects::add);

        assertThat(defects).hasSize(1).first().isInstanceOf(StackOverflowError.class);
    }

    @SuppressWarnings("InfiniteRecursion") // the subject of the test
    private static void recurse() {
        recurse();
    }

    @Test
    void reportsNothing_whenTheCallbackReturns() {
        Guard.run(() -> {}, defects::add);

        assertThat(defects).isEmpty();
    }

    @Test
    void letsErrorsOfTheMachinePass() {
        assertThatThrownBy(() -> Guard.run(
                        () -> {
                            throw new OutOfMemoryError("test");
                        },
                        defects::add))
                .isInstanceOf(OutOfMemoryError.class);
    }
}
