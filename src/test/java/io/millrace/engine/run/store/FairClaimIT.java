package io.millrace.engine.run.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.persistence.Database;
import io.millrace.engine.run.OwnedRun;
import io.millrace.engine.run.store.RunOwnerStore.ClaimBatch;
import io.millrace.support.TestDatabase;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Order in which runs without an owner are taken over, by project. */
class FairClaimIT {
    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    private static Database database = opened.database();

    private final RunOwnerStore store = new RunOwnerStore();

    @BeforeEach
    void begin() {
        execute("delete from run");
        execute("delete from node");
        execute("insert into node (id, lease_until) values ('alive', 'infinity'), "
                + "('dead', now() - interval '1 second')");
    }

    @Test
    void takesFromTheProjectsInTurn_theEldestOfEach() {
        insert("heavy", "dead", "QUEUED", 50);
        insert("light", "", "QUEUED", 3);
        insert("other", "dead", "RUNNING", 1);

        assertThat(ids(claim("alive", 6, Set.of())))
                .containsExactlyInAnyOrder("heavy-1", "light-1", "other-1", "heavy-2", "light-2", "heavy-3");
    }

    @Test
    void leavesWhatIsPaused_ownedByALiveNode_orNotWanted() {
        insert("paused", "dead", "PAUSED", 1);
        insert("owned", "alive", "RUNNING", 1);
        insert("crowded", "dead", "RUNNING", 1);
        insert("wanted", "dead", "RUNNING", 1);

        assertThat(ids(claim("alive", 6, Set.of("crowded")))).containsExactly("wanted-1");
    }

    @Test
    void reportsWhetherThereMayBeMore() {
        insert("heavy", "dead", "QUEUED", 10);

        assertThat(claim("alive", 6, Set.of()).hasMore()).isTrue();
        assertThat(claim("alive", 6, Set.of()).hasMore()).isFalse();
        assertThat(claim("alive", 6, Set.of())).isEqualTo(new ClaimBatch(List.of(), false));
    }

    @Test
    void leavesOtherNodesTheirPart() {
        insert("heavy", "dead", "QUEUED", 10);
        execute("insert into node (id, lease_until, role) values ('second', 'infinity', 'worker'), "
                + "('calls', 'infinity', 'api')");

        var first = claim("alive", 20, Set.of());
        var second = claim("second", 20, Set.of());

        assertThat(first.runs()).hasSize(5);
        assertThat(first.hasMore()).isTrue();
        assertThat(second.runs()).hasSize(3);
    }

    @Test
    void takesEachOnce_whenSeveralClaimAtTheSameMoment() {
        insert("heavy", "dead", "QUEUED", 400);
        insert("light", "dead", "QUEUED", 400);
        execute("insert into node (id, lease_until) values ('second', 'infinity')");

        var taken = new ArrayList<String>();
        while (taken.size() < 800) {
            var claims = Stream.of("alive", "second", "alive", "second")
                    .map(node -> claiming(node, 10, Set.of()))
                    .toList();
            Waiting.await(Future.all(claims));
            claims.forEach(claim -> taken.addAll(ids(claim.result())));
            assertThat(claims).anyMatch(claim -> claim.result().hasMore() || taken.size() >= 800);
        }

        assertThat(taken).doesNotHaveDuplicates();
    }

    private static List<String> ids(ClaimBatch claimed) {
        return claimed.runs().stream().map(OwnedRun::runId).toList();
    }

    private ClaimBatch claim(String node, int limit, Set<String> passedOver) {
        return Waiting.await(claiming(node, limit, passedOver));
    }

    private Future<ClaimBatch> claiming(String node, int limit, Set<String> passedOver) {
        return database.inTransaction(tx -> store.claimOrphans(tx, node, limit, passedOver));
    }

    /** Runs whose share in the crash of their owner has been counted. */
    private static void insert(String project, String owner, String status, int count) {
        execute("""
                insert into run (id, created, updated, project_id, flow_id, flow_version_id, environment, status,
                                 fail_parent, tags, payload, owner, fence, unread)
                select '%1$s-' || n, now() + n * interval '1 second', now(), '%1$s', 'flow', 'version', 'PRODUCTION',
                  '%3$s', false, '{}', '{}', '%2$s', 0, true
                from generate_series(1, %4$d) n
                """.formatted(project, owner, status, count));
    }

    private static void execute(String sql) {
        Waiting.await(database.query(sql));
    }
}
