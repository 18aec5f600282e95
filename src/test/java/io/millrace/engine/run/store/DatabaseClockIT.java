package io.millrace.engine.run.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.persistence.Database;
import io.millrace.engine.run.OwnedRun;
import io.millrace.support.TestDatabase;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases and runs while the clock of the database jumps. A clock that is set forward makes each lease end earlier. */
class DatabaseClockIT {
    private static final Duration LEASE = Duration.ofSeconds(12);
    private static final int SUSPECTED_FROM = 2;

    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    private static Database database = opened.database();

    private final RunOwnerStore store = new RunOwnerStore();

    @BeforeEach
    void begin() {
        execute("delete from run");
        execute("delete from node");
        renew("own", true);
        renew("other", true);
        insert("begun", "RUNNING", 1);
        insert("in line", "QUEUED", 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"13 seconds", "1 hour", "400 days"})
    void takesNoRunOfALiveNode_whenTheClockIsSetForward(String jump) {
        setForward(jump);

        // before and after this node has renewed its lease, whether or not the other node has
        assertThat(taken()).isEmpty();
        renew("own", true);
        assertThat(taken()).isEmpty();
        renew("other", true);
        assertThat(taken()).isEmpty();
        assertThat(crashes()).isZero();
    }

    @Test
    void takesTheRunsOfANodeThatWasDeadBefore_whenTheClockIsSetForward() {
        execute("update node set lease_until = now() - interval '1 second' where id = 'other'");
        setForward("1 hour");

        renew("own", true);

        assertThat(taken()).containsExactlyInAnyOrder("begun", "in line");
    }

    @Test
    void takesTheRunsOfANodeThatDiesAfterTheJump_whenItsRenewedLeaseIsOver() {
        setForward("1 hour");
        renew("own", true);
        assertThat(taken()).isEmpty();

        execute("update node set lease_until = lease_until - interval '12 seconds' where id = 'other'");

        assertThat(taken()).containsExactlyInAnyOrder("begun", "in line");
    }

    @Test
    void renewsNoOtherLease_whenThisNodeItselfWasStopped() {
        setForward("1 hour");

        renew("own", false);

        assertThat(taken()).containsExactlyInAnyOrder("begun", "in line");
    }

    @Test
    void keepsALiveNodesLease_whenTheClockIsSetBack() {
        setBack("1 hour");

        renew("own", true);

        assertThat(hasLease("other")).isTrue();
        assertThat(taken()).isEmpty();
    }

    @Test
    void endsTheLeaseOfANodeThatDiedWhileTheClockWasAhead_afterOneLease() {
        setBack("1 hour");

        renew("own", true);

        assertThat(
                        count(
                                "select count(*) from node where id = 'other' and lease_until <= now() + interval '12 seconds'"))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {-3_600, 0, 3_600})
    void measuresTheDifferenceOfTheClocks_andLetsItDecideNothing(long aheadSeconds) {
        var behind = Waiting.await(database.read(
                tx -> store.renewLease(tx, "own", LEASE, true, Instant.now().plusSeconds(aheadSeconds))));

        assertThat(behind).isCloseTo(Duration.ofSeconds(-aheadSeconds), Duration.ofSeconds(20));
        assertThat(hasLease("own")).isTrue();
        assertThat(taken()).isEmpty();
    }

    private void renew(String node, boolean isInTime) {
        Waiting.await(database.read(tx -> store.renewLease(tx, node, LEASE, isInTime, Instant.now())));
    }

    /** Runs without an owner that this node finds. */
    private List<String> taken() {
        Waiting.await(database.read(tx -> store.countCrashes(tx, "own", SUSPECTED_FROM)));
        return Waiting.await(database.inTransaction(tx -> store.claimOrphans(tx, "own", 10, Set.of()))).runs().stream()
                .map(OwnedRun::runId)
                .toList();
    }

    private static void setForward(String time) {
        execute("update node set lease_until = lease_until - interval '" + time + "'");
    }

    private static void setBack(String time) {
        execute("update node set lease_until = lease_until + interval '" + time + "'");
    }

    private static boolean hasLease(String node) {
        return count("select count(*) from node where lease_until > now() and id = '" + node + "'") == 1;
    }

    private static long crashes() {
        return count("select coalesce(sum(crashes), 0)::bigint from run");
    }

    private static void insert(String id, String status, long fence) {
        execute("""
                insert into run (id, created, updated, project_id, flow_id, flow_version_id, environment, status,
                                 fail_parent, tags, payload, owner, fence)
                values ('%s', now(), now(), 'project', 'flow', 'version', 'PRODUCTION', '%s', false, '{}', '{}', 'other', %d)
                """.formatted(id, status, fence));
    }

    private static long count(String sql) {
        return Waiting.await(database.query(sql)).iterator().next().getLong(0);
    }

    private static void execute(String sql) {
        Waiting.await(database.query(sql));
    }
}
