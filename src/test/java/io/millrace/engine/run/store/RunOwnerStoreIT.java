package io.millrace.engine.run.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.persistence.Database;
import io.millrace.engine.run.OwnedRun;
import io.millrace.engine.run.RunRelease;
import io.millrace.support.TestDatabase;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs that are suspected after the end of their node. */
class RunOwnerStoreIT {
    private static final int SUSPECTED_FROM = 2;
    private static final Duration LEASE = Duration.ofMinutes(1);

    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    private static Database database = opened.database();

    private final RunOwnerStore store = new RunOwnerStore();

    @BeforeEach
    void begin() {
        execute("delete from run");
        execute("delete from run_step");
        execute("delete from node");
    }

    @Test
    void countsRunsThatWereAtWork_whenTheirNodeCrashed() {
        // given an executing run, one that waits for a signal, and one that had not begun
        insert("at work", "RUNNING", 0);
        insert("paused", "PAUSED", 0);
        insert("accepted", "QUEUED", 0);

        // when
        crash("node");

        // then
        assertThat(crashes()).isEqualTo(Map.of("at work", 1, "paused", 0, "accepted", 0));
    }

    @Test
    void countsNothing_whenTheNodeStoppedAsPlanned() {
        // given
        insert("at work", "RUNNING", 0);
        lease("node");

        // when
        Waiting.await(database.read(tx -> store.endLease(tx, "node")));
        count();

        // then
        assertThat(crashes()).isEqualTo(Map.of("at work", 0));
    }

    @Test
    void countsNothing_whenTheRunWasTakenOverAndNotRead() {
        // given
        insert("waiting", "RUNNING", 0);
        crash("node");
        claim("second");

        // when the second node ends before it has read the run
        crash("second");

        // then
        assertThat(crashes()).isEqualTo(Map.of("waiting", 1));
    }

    @Test
    void noNodeTakesRunsOver_beforeTheCrashIsCounted() {
        // given an executing run, and one that had not begun, at a node whose lease has expired
        insert("at work", "RUNNING", 0);
        insert("accepted", "QUEUED", 0);
        expire("node");

        // when another node takes over runs before the crash is counted, and again after that
        var before = claim("second");
        count();
        var after = claim("second");

        // then
        assertThat(before).containsExactly("accepted");
        assertThat(after).containsExactly("at work");
        assertThat(crashes()).isEqualTo(Map.of("at work", 1, "accepted", 0));
    }

    @Test
    void takesItsOwnRunsBack_whenItsLeaseIsOver() {
        // given
        insert("at work", "RUNNING", 0);
        expire("node");

        // when
        var taken = Waiting.await(database.inTransaction(tx -> store.claimOrphans(tx, "node", 10, Set.of())));

        // then
        assertThat(taken.runs()).hasSize(1);
    }

    @Test
    void countsAgain_whenTheRunWasReadAndGotNoFurther() {
        // given
        insert("stuck", "RUNNING", 0);
        insert("going", "RUNNING", 0);
        crash("node");
        claim("second");
        read("second", "stuck", "going");

        // when
        execute("insert into run_step (run_id, path, record) values ('going', 'step_1', '{}')");
        crash("second");

        // then
        assertThat(crashes()).isEqualTo(Map.of("stuck", 2, "going", 1));
    }

    @Test
    void takesTheCountBack_whenTheNodeOnlyLostItsLease() {
        // given
        insert("at work", "RUNNING", 0);
        insert("taken", "RUNNING", 0);
        crash("node");
        execute("update run set owner = 'second', fence = fence + 1 where id = 'taken'");

        // when
        Waiting.await(database.read(tx -> store.takeCountsBack(tx, "node")));

        // then its remaining run executes again
        assertThat(crashes()).isEqualTo(Map.of("at work", 0, "taken", 0));
        crash("node");
        assertThat(crashes()).isEqualTo(Map.of("at work", 1, "taken", 0));
    }

    @Test
    void blamesASuspectOnlyAlone() {
        // given two runs that were executing at the end of two servers
        insert("first", "RUNNING", 0);
        insert("second", "RUNNING", 0);
        for (var node = 1; node < SUSPECTED_FROM + 1; node++) {
            crash("node" + (node == 1 ? "" : node));
            claim("node" + (node + 1));
            read("node" + (node + 1), "first", "second");
        }
        assertThat(crashes()).isEqualTo(Map.of("first", 2, "second", 2));

        // when both execute at the third node that ends, and one alone at the fourth
        crash("node3");
        assertThat(crashes()).isEqualTo(Map.of("first", 2, "second", 2));
        claim("node4");
        read("node4", "first");
        crash("node4");

        // then
        assertThat(crashes()).isEqualTo(Map.of("first", 3, "second", 2));
    }

    @Test
    void countsForASuspect_whenItsNodeEndsBeforeOrAfterItsTrial() {
        // given two suspects with one crash more than a suspect needs
        insert("waiting", "RUNNING", 1);
        insert("survivor", "RUNNING", 1);
        execute("update run set crashes = 4, crash_progress = 0, owner = 'first'");
        execute("update run set unread = true where id = 'waiting'");

        // when their node ends after one has survived its trial, and before the other one was taken over
        lease("first");
        Waiting.await(database.read(tx -> store.acquit(tx, new RunRelease("survivor", 1), SUSPECTED_FROM)));
        crash("first");

        // then one has the crashes of a new suspect, and the other one has one crash less, once
        assertThat(crashes()).isEqualTo(Map.of("survivor", SUSPECTED_FROM, "waiting", 3));
        count();
        assertThat(crashes()).isEqualTo(Map.of("survivor", SUSPECTED_FROM, "waiting", 3));

        // and the node is recorded as one that ended late and without a culprit
        assertThat(recentEnds()).isEqualTo(new RunOwnerStore.RecentEnds(1, 2));
    }

    @Test
    void blamesTheSuspectOnTrial_besideThoseThatSurvivedTheirs() {
        insert("survivor", "RUNNING", 1);
        insert("on trial", "RUNNING", 1);
        execute("update run set crashes = 3, crash_progress = 0, owner = 'first'");
        lease("first");
        Waiting.await(database.read(tx -> store.acquit(tx, new RunRelease("survivor", 1), SUSPECTED_FROM)));

        crash("first");

        assertThat(crashes()).isEqualTo(Map.of("survivor", SUSPECTED_FROM, "on trial", 4));
        assertThat(recentEnds().late()).isZero();
    }

    /** A crash before the first trial is no evidence of a run that takes long to crash its node. */
    @Test
    void remembersNoLateEnd_whenNoSuspectHasSurvivedItsTrial() {
        insert("waiting", "RUNNING", 1);
        execute("update run set crashes = 4, crash_progress = 0, owner = 'first', unread = true");

        crash("first");

        assertThat(crashes()).isEqualTo(Map.of("waiting", 3));
        assertThat(recentEnds()).isEqualTo(new RunOwnerStore.RecentEnds(0, 1));
    }

    @Test
    void doesNotAcquitARun_ofAnotherOwner() {
        insert("taken", "RUNNING", 2);
        execute("update run set crashes = 3, crash_progress = 0, owner = 'first'");

        lease("first");
        Waiting.await(database.read(tx -> store.acquit(tx, new RunRelease("taken", 1), SUSPECTED_FROM)));
        crash("first");

        assertThat(crashes()).isEqualTo(Map.of("taken", 4));
    }

    private RunOwnerStore.RecentEnds recentEnds() {
        return Waiting.await(database.read(tx -> store.recentEnds(tx, "counting", SUSPECTED_FROM)));
    }

    private void crash(String node) {
        expire(node);
        count();
    }

    private static void expire(String node) {
        execute("insert into node (id, lease_until) values ('" + node + "', now() - interval '1 second')"
                + " on conflict (id) do update set lease_until = excluded.lease_until");
    }

    private void lease(String node) {
        Waiting.await(database.read(tx -> store.renewLease(tx, node, LEASE, true, Instant.now())));
    }

    private void count() {
        lease("counting");
        execute("update node set role = 'api' where id = 'counting'");
        Waiting.await(database.read(tx -> store.countCrashes(tx, "counting", SUSPECTED_FROM)));
    }

    private List<String> claim(String node) {
        lease(node);
        return Waiting.await(database.inTransaction(tx -> store.claimOrphans(tx, node, 10, Set.of()))).runs().stream()
                .map(OwnedRun::runId)
                .toList();
    }

    private void read(String node, String... runIds) {
        Waiting.await(database.read(tx -> store.beginReading(tx, node, List.of(runIds))));
    }

    private static void insert(String id, String status, long fence) {
        execute("""
                insert into run (id, created, updated, project_id, flow_id, flow_version_id, environment, status,
                                 fail_parent, tags, payload, owner, fence)
                values ('%s', now(), now(), 'project', 'flow', 'version', 'PRODUCTION', '%s', false, '{}', '{}', 'node', %d)
                """.formatted(id, status, fence));
    }

    private static void execute(String sql) {
        Waiting.await(database.query(sql));
    }

    private static Map<String, Integer> crashes() {
        var crashes = new TreeMap<String, Integer>();
        Waiting.await(database.query("select id, crashes from run"))
                .forEach(row -> crashes.put(row.getString(0), row.getInteger(1)));
        return crashes;
    }
}
