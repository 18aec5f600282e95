package io.millrace.integration.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.net.Fence;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commits whose node loses its lease while the remote is connected. */
final class GitFenceTest extends GitBench {
    /** More writes than a fetch and a push of one file have. */
    private static final int CHECKS_MAX = 60;

    @BeforeEach
    void fill() {
        server.commit(name, Map.of("orders/flows/a.json", "{}"));
    }

    private void commit(Fence fence) throws Exception {
        var change = new FileChange.Put("flows", "b.json", Buffer.buffer("{}"));
        operations.commit(
                remote("orders", key, Optional.empty()),
                new GitRepos.Commit("project", new Author("Ada", "ada@example.com"), "One more", List.of(change)),
                new Attempt(fence));
    }

    private String tip() {
        return server.git(name, "rev-parse", "main").strip();
    }

    /**
     * The lease ends before each write of the conversation in turn: the remote has the commit exactly if none was
     * refused.
     */
    @Test
    void changesNothing_whereverTheLeaseEnds() throws Exception {
        var before = tip();
        var refused = 0;
        for (var permitted = 0; permitted < CHECKS_MAX; permitted++) {
            var checks = new AtomicInteger(permitted);
            try {
                commit(() -> checks.getAndDecrement() > 0);
                break;
            } catch (GitFailure failure) {
                assertThat(failure.kind()).isEqualTo(GitFailure.Kind.FENCED);
                assertThat(tip()).isEqualTo(before);
                refused++;
            }
        }

        assertThat(refused).isBetween(3, CHECKS_MAX - 1);
        assertThat(tip()).isNotEqualTo(before);
    }

    /** A frozen node does not push when it resumes, although its lease was renewed by then. */
    @Test
    void staysRefused_whenTheLeaseIsThereAgain() {
        var before = tip();
        var isFirst = new AtomicBoolean(true);

        assertThatThrownBy(() -> commit(() -> !isFirst.getAndSet(false)))
                .isInstanceOf(GitFailure.class)
                .hasMessageContaining("nothing was changed in the git repository");

        assertThat(tip()).isEqualTo(before);
    }
}
