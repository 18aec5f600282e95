package io.millrace.engine.run.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.Database;
import io.millrace.engine.run.admission.PermitClaims.Claim;
import io.millrace.engine.run.admission.PermitClaims.Keep;
import io.millrace.engine.run.admission.PermitClaims.PermitGrant;
import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims of several nodes on the permits of one limit. */
class PermitClaimIT {
    private static final PermitKey KEY = PermitKey.ofRuns("project");
    private static final long DEADLINE_MS = 30_000;

    private final Vertx vertx = TestPostgres.vertx();
    private final Map<String, Bus> nodes = new HashMap<>();
    private Database database;

    @BeforeEach
    void open() {
        database = Database.open(vertx, TestPostgres.freshDatabase());
        for (var node : new String[] {"a", "b", "c"}) {
            var bus = new Bus(Vertx.vertx());
            new PermitClaimService(database, node).open(bus);
            nodes.put(node, bus);
            execute("insert into node (id, lease_until) values ('" + node + "', 'infinity')");
        }
    }

    @AfterEach
    void close() {
        Waiting.await(database.close());
        Waiting.await(vertx.close());
    }

    @Test
    void grantsEverythingToTheOnlyOneWhoWantsAny() {
        assertThat(claim("a", 10, 0, 1)).isEqualTo(new PermitGrant(10, 10));
    }

    @Test
    void grantsWhatOthersDoNotHave() {
        claim("a", 10, 0, 1);
        keep("a", 4);

        assertThat(claim("b", 10, 0, 8)).isEqualTo(new PermitGrant(6, 5));
        assertThat(claim("c", 10, 0, 1)).isEqualTo(new PermitGrant(0, 3));
    }

    @Test
    void leavesToOthersWhatTheyHaveWaitedForForLonger() {
        // given one node with all permits, and another that waits
        claim("a", 1, 0, 1);
        assertThat(claim("b", 1, 0, 1).permits()).isZero();

        // When the first node has returned all permits, and claims one before the other node
        keep("a", 0);

        // then it has to wait for its turn
        assertThat(claim("a", 1, 0, 1).permits()).isZero();
        assertThat(claim("b", 1, 0, 1).permits()).isOne();
    }

    @Test
    void countsWhatRunsHoldAlready() {
        claim("a", 10, 0, 10);

        assertThat(claim("b", 10, 3, 3).permits()).isEqualTo(3);
    }

    @Test
    void freesWhatANodeHadThatIsGone() {
        claim("a", 10, 0, 10);
        execute("update node set lease_until = now() - interval '1 second' where id = 'a'");

        assertThat(claim("b", 10, 0, 1).permits()).isEqualTo(10);
    }

    @Test
    void forgetsNodesThatAreForgotten_andWhatNobodyWants() {
        claim("a", 10, 0, 10);
        claim("b", 10, 0, 1);
        execute("delete from node where id = 'a'");
        execute("update run_permit set wanted_at = now() - interval '1 hour' where node_id = 'b'");

        Waiting.await(nodes.get("c").ask(new PermitClaims.Purge(), DEADLINE_MS));

        assertThat(count("select count(*) from run_permit")).isZero();
    }

    @Test
    void neverGrantsMoreThanThereAre_whenAllClaimAtOnce() {
        for (var round = 0; round < 20; round++) {
            var key = PermitKey.ofStarts("round " + round);
            var claims = new ArrayList<Future<PermitGrant>>();
            nodes.values().forEach(node -> claims.add(node.ask(new Claim(key, 7, 0, 7), DEADLINE_MS)));
            Waiting.await(Future.all(claims));

            assertThat(claims.stream()
                            .mapToInt(claim -> claim.result().permits())
                            .sum())
                    .isEqualTo(7);
        }
    }

    private PermitGrant claim(String node, int limit, int held, int wanted) {
        return Waiting.await(nodes.get(node).ask(new Claim(KEY, limit, held, wanted), DEADLINE_MS));
    }

    private void keep(String node, int count) {
        Waiting.await(nodes.get(node).ask(new Keep(KEY, count), DEADLINE_MS));
    }

    private void execute(String sql) {
        Waiting.await(database.query(sql));
    }

    private long count(String sql) {
        return Waiting.await(database.query(sql)).iterator().next().getLong(0);
    }
}
