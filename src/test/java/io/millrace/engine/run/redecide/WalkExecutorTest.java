package io.millrace.engine.run.redecide;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.engine.run.redecide.WalkExecutor.Purpose;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Admission of walks that callers request. */
class WalkExecutorTest {
    private final Vertx vertx = Vertx.vertx();
    private final WalkExecutor walks = new WalkExecutor(vertx.createSharedWorkerExecutor("flow-walk", 2));
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void close() {
        end.countDown();
        Waiting.await(vertx.close());
    }

    @Test
    void executesFourWalksOfAProject_andRefusesTheFifth() {
        // given
        var accepted = new ArrayList<Future<String>>();
        for (var walk = 0; walk < WalkExecutor.WALKS_MAX; walk++) {
            accepted.add(held("ada", Purpose.READING));
        }

        // when
        var refused = held("ada", Purpose.READING);

        // then
        assertThat(refused.cause())
                .isInstanceOfSatisfying(
                        ApiException.class, cause -> assertThat(cause.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS));

        // when they end
        end.countDown();

        // then all have a result, and further ones are accepted
        assertThat(accepted).allSatisfy(walk -> assertThat(Waiting.await(walk)).isEqualTo("done"));
        Waiting.until(
                "a place is free",
                () -> Waiting.await(held("ada", Purpose.READING).otherwise("refused"))
                        .equals("done"));
    }

    @Test
    void acceptsWalksOfOtherProjects_andOfPublications_atTheLimitOfAProject() {
        // given
        for (var walk = 0; walk < WalkExecutor.WALKS_MAX; walk++) {
            held("ada", Purpose.READING);
        }

        // when
        var ofOther = held("ben", Purpose.READING);
        var ofPublication = held("ada", Purpose.PUBLICATION);
        end.countDown();

        // then
        assertThat(Waiting.await(ofOther)).isEqualTo("done");
        assertThat(Waiting.await(ofPublication)).isEqualTo("done");
    }

    @Test
    void executesWalksOnTheirOwnThreads() {
        var thread = walks.execute(
                "ada", Purpose.READING, () -> Thread.currentThread().getName());

        assertThat(Waiting.await(thread)).startsWith("flow-walk");
    }

    private Future<String> held(String projectId, Purpose purpose) {
        return walks.execute(projectId, purpose, () -> {
            end.await();
            return "done";
        });
    }
}
