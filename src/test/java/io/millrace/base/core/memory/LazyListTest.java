package io.millrace.base.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class LazyListTest {
    private final AtomicInteger made = new AtomicInteger();
    private final List<String> list = LazyList.of(() -> {
        made.incrementAndGet();
        return List.of("a", "b");
    });

    @Test
    void isMadeOnce_atTheFirstAccess() {
        assertThat(made).hasValue(0);

        assertThat(list).containsExactly("a", "b");
        assertThat(list).hasSize(2).isEqualTo(List.of("a", "b"));

        assertThat(made).hasValue(1);
    }

    @Test
    void cannotBeChanged() {
        assertThatThrownBy(() -> list.add("c")).isInstanceOf(UnsupportedOperationException.class);
    }
}
