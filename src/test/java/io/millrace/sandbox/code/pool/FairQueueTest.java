package io.millrace.sandbox.code.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class FairQueueTest {

    @Test
    void servesKeysInTurn_whenOneKeyFloods() {
        FairQueue<String> queue = new FairQueue<>(10, 10, 10);
        queue.offer("a", "a1");
        queue.offer("a", "a2");
        queue.offer("a", "a3");
        queue.offer("b", "b1");

        assertThat(queue.next(1, _ -> false)).contains("a1");
        assertThat(queue.next(1, _ -> false)).contains("b1");
        assertThat(queue.next(1, _ -> false)).contains("a2");
        assertThat(queue.next(1, _ -> false)).contains("a3");
        assertThat(queue.next(1, _ -> false)).isEmpty();
    }

    @Test
    void holdsAKeyBack_whenItsShareIsInWork() {
        FairQueue<String> queue = new FairQueue<>(10, 10, 1);
        queue.offer("a", "a1");
        queue.offer("a", "a2");
        queue.next(1, _ -> false);

        assertThat(queue.hasNext()).isFalse();
        assertThat(queue.next(1, _ -> false)).isEmpty();

        queue.done("a");
        assertThat(queue.hasNext()).isTrue();
        assertThat(queue.next(1, _ -> false)).contains("a2");
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
        queue.next(1, _ -> false);

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
        queue.next(1, _ -> false);

        assertThat(queue.drain()).containsExactlyInAnyOrder("a2", "b1");
        assertThat(queue.hasNext()).isFalse();
        queue.done("a");
    }

    @Test
    void takesSeveralOfOneKeyAsOnePieceOfWork_butWhatGoesAloneAlone() {
        FairQueue<String> queue = new FairQueue<>(10, 10, 1);
        for (String item : List.of("a1", "a2", "a3", "a4!", "a5")) {
            queue.offer("a", item);
        }
        queue.offer("b", "b1");

        assertThat(queue.next(2, FairQueueTest::isAlone)).containsExactly("a1", "a2");
        assertThat(queue.next(9, FairQueueTest::isAlone)).containsExactly("b1");
        queue.done("a");
        assertThat(queue.next(9, FairQueueTest::isAlone)).containsExactly("a3");
        queue.done("a");
        assertThat(queue.next(9, FairQueueTest::isAlone)).containsExactly("a4!");
        queue.done("a");
        assertThat(queue.next(9, FairQueueTest::isAlone)).containsExactly("a5");
        assertThat(queue.size()).isZero();
    }

    @Test
    void putsBackWhatWasTaken_beforeTheOthersOfItsKey() {
        FairQueue<String> queue = new FairQueue<>(10, 10, 1);
        for (String item : List.of("a1", "a2", "a3", "a4")) {
            queue.offer("a", item);
        }
        queue.next(3, FairQueueTest::isAlone);

        queue.giveBack("a", List.of("a2", "a3"));
        queue.done("a");

        assertThat(queue.size()).isEqualTo(3);
        assertThat(queue.next(9, FairQueueTest::isAlone)).containsExactly("a2", "a3", "a4");
    }

    @Test
    void servesTheKeyWithTheLeastInWorkFirst() {
        FairQueue<String> queue = new FairQueue<>(10, 10, 10);
        queue.offer("a", "a1");
        queue.offer("a", "a2");
        queue.offer("a", "a3");
        queue.next(1, _ -> false);
        queue.next(1, _ -> false);
        queue.offer("b", "b1");

        assertThat(queue.next(1, _ -> false)).containsExactly("b1");
    }

    @Test
    void holdsAKeyBack_whileItsShareMayNotGrow() {
        var open = new AtomicBoolean();
        FairQueue<String> queue = new FairQueue<>(10, 10, 10, inWork -> inWork == 0 || open.get());
        queue.offer("a", "a1");
        queue.offer("a", "a2");
        queue.next(1, _ -> false);

        assertThat(queue.hasNext()).isFalse();
        assertThat(queue.size()).isEqualTo(1);
        open.set(true);
        assertThat(queue.next(1, _ -> false)).containsExactly("a2");
    }

    @Test
    void keepsRoomForOthers_whateverOneKeyHasWaiting() {
        FairQueue<String> queue = new FairQueue<>(8, 8, 1);

        assertThat(offered(queue, "a")).isEqualTo(4);
        assertThat(offered(queue, "b")).isEqualTo(2);
        assertThat(offered(queue, "c")).isEqualTo(1);
        assertThat(queue.size()).isEqualTo(7);
    }

    private static int offered(FairQueue<String> queue, String key) {
        var offered = 0;
        while (queue.offer(key, key)) {
            offered++;
        }
        return offered;
    }

    private static boolean isAlone(String item) {
        return item.endsWith("!");
    }
}
