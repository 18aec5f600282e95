package io.millrace.sandbox.code;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FairQueueTest {

    @Test
    void servesKeysInTurn_whenOneKeyFloods() {
        FairQueue<String> queue = new FairQueue<>(10, 10, 10);
        queue.offer("a", "a1");
        queue.offer("a", "a2");
        queue.offer("a", "a3");
        queue.offer("b", "b1");

        assertThat(queue.next()).contains("a1");
        assertThat(queue.next()).contains("b1");
        assertThat(queue.next()).contains("a2");
        assertThat(queue.next()).contains("a3");
        assertThat(queue.next()).isEmpty();
    }

    @Test
    void holdsAKeyBack_whenItsShareIsInWork() {
        FairQueue<String> queue = new FairQueue<>(10, 10, 1);
        queue.offer("a", "a1");
        queue.offer("a", "a2");
        queue.next();

        assertThat(queue.hasNext()).isFalse();
        assertThat(queue.next()).isEmpty();

        queue.done("a");
        assertThat(queue.hasNext()).isTrue();
        assertThat(queue.next()).contains("a2");
    }

    @Test
    void refuses_whenTheQueueOrTheShareOfTheKeyIsFull() {
        FairQueue<String> queue = new FairQueue<>(3, 2, 1);

        assertThat(queue.offer("a", "a1")).isTrue();
        assertThat(queue.offer("a", "a2")).isTrue();
        assertThat(queue.offer("a", "a3")).isFalse();
        assertThat(queue.offer("b", "b1")).isTrue();
        assertThat(queue.offer("c", "c1")).isFalse();
    }

    @Test
    void takesWaitingItemsOut_butNotThoseInWork() {
        FairQueue<String> queue = new FairQueue<>(3, 3, 1);
        queue.offer("a", "a1");
        queue.offer("a", "a2");
        queue.next();

        assertThat(queue.remove("a", "a2")).isTrue();
        assertThat(queue.remove("a", "a1")).isFalse();
        assertThat(queue.remove("b", "b1")).isFalse();
        queue.done("a");
        assertThat(queue.hasNext()).isFalse();
    }

    @Test
    void drainsAllThatWait() {
        FairQueue<String> queue = new FairQueue<>(9, 9, 1);
        queue.offer("a", "a1");
        queue.offer("a", "a2");
        queue.offer("b", "b1");
        queue.next();

        assertThat(queue.drain()).containsExactlyInAnyOrder("a2", "b1");
        assertThat(queue.hasNext()).isFalse();
        queue.done("a");
    }
}
