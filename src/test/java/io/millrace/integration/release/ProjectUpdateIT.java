package io.millrace.integration.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.Database;
import io.millrace.support.TestDatabase;
import io.millrace.support.TestProjects;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Projects are compared without a transaction, and written in one. */
class ProjectUpdateIT {
    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    private static Database database = opened.database();

    private final Vertx vertx = Vertx.vertx();
    private final ProjectUpdate projectUpdate = new ProjectUpdate(vertx, database);
    private final AtomicInteger reads = new AtomicInteger();
    private final ArrayList<String> written = new ArrayList<>();

    @AfterEach
    void close() {
        Waiting.await(vertx.close());
    }

    /** @param changes number of reads after each of which the project changes */
    private Future<String> apply(String projectId, int changes) {
        return projectUpdate.apply(
                projectId,
                (_, _) -> Future.succeededFuture(Math.min(reads.getAndIncrement(), changes)),
                state -> "change of " + state,
                (_, _, change) -> {
                    written.add(change);
                    return Future.succeededFuture(change);
                });
    }

    @Test
    void writesWhatWasCompared_whenTheProjectIsUnchanged() {
        assertThat(Waiting.await(apply(TestProjects.insert(database), 0))).isEqualTo("change of 0");
        assertThat(reads).hasValue(2);
    }

    @Test
    void comparesTheChangedProject_andWritesOnce() {
        assertThat(Waiting.await(apply(TestProjects.insert(database), 3))).isEqualTo("change of 3");
        assertThat(written).containsExactly("change of 3");
    }

    @Test
    void writesInTheLastComparison_whenTheProjectChangesDuringTheOthers() {
        var changes = 2 * (ProjectUpdate.ATTEMPTS_MAX - 1);

        assertThat(Waiting.await(apply(TestProjects.insert(database), changes))).isEqualTo("change of " + changes);
    }

    @Test
    void writesNothing_whenTheProjectChangesDuringEachComparison() {
        var projectId = TestProjects.insert(database);

        assertThatThrownBy(() -> Waiting.await(apply(projectId, Integer.MAX_VALUE)))
                .isInstanceOfSatisfying(ApiException.class, refused -> {
                    assertThat(ApiException.isUnavailable(refused)).isTrue();
                    assertThat(refused.text()).contains(projectId, "nothing was written");
                });
        assertThat(written).isEmpty();
        assertThat(reads).hasValue(2 * ProjectUpdate.ATTEMPTS_MAX);
    }

    @Test
    void writesNothing_whenTheProjectIsGone() {
        assertThatThrownBy(() -> Waiting.await(apply(Ids.next(), 0)))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(ApiException.isNotFound(refused)).isTrue());
        assertThat(written).isEmpty();
    }
}
