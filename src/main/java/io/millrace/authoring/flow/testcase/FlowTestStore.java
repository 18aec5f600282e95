package io.millrace.authoring.flow.testcase;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.DeepJson;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

public final class FlowTestStore {
    private static final String OF_FLOW = """
            select id, name, content from flow_test where flow_id = $1 order by created, id
            """;

    private static final String OF_FLOWS = """
            select flow_id, id, name, content from flow_test where flow_id = any ($1) order by flow_id, created, id
            """;

    private static final RowMapper<TestRow> TESTS = RowMapper.of(TestRow.class, OF_FLOW);
    private static final RowMapper<FlowRow> TESTS_BY_FLOW = RowMapper.of(FlowRow.class, OF_FLOWS);

    private record TestRow(String id, String name, Buffer content) {
        FlowTestCase test() {
            return new FlowTestCase(id, name, (ObjectNode) DeepJson.trusted(content.getBytes()));
        }
    }

    private record FlowRow(String flowId, String id, String name, Buffer content) {
        FlowTestCase test() {
            return new TestRow(id, name, content).test();
        }
    }

    public Future<List<FlowTestCase>> ofFlow(Tx tx, String flowId) {
        return tx.query(OF_FLOW, flowId)
                .map(rows -> TESTS.all(rows).stream().map(TestRow::test).toList());
    }

    /** The tests of flows by the id of the flow, oldest first. */
    public Future<Map<String, List<FlowTestCase>>> ofFlows(Tx tx, List<String> flowIds) {
        return tx.query(OF_FLOWS, (Object) flowIds.toArray(String[]::new)).map(rows -> {
            var tests = new HashMap<String, List<FlowTestCase>>();
            TESTS_BY_FLOW
                    .all(rows)
                    .forEach(row -> tests.computeIfAbsent(row.flowId(), _ -> new ArrayList<>())
                            .add(row.test()));
            return tests;
        });
    }

    public Future<Optional<FlowTestCase>> find(Tx tx, String flowId, String id) {
        return tx.query("select id, name, content from flow_test where flow_id = $1 and id = $2", flowId, id)
                .map(TESTS::first)
                .map(found -> found.map(TestRow::test));
    }

    /** Inserts or replaces a test. Fails with VALIDATION beyond a limit. */
    public Future<Void> put(Tx tx, String flowId, FlowTestCase test, FlowTestLimits limits, Instant now) {
        limits.checkSize(test);
        return limits.count()
                .begin(tx, "tests", "flow", flowId)
                .compose(addition -> tx.query("""
                        insert into flow_test (flow_id, id, created, updated, name, content) values ($1, $2, $3, $3, $4, $5)
                        on conflict (flow_id, id) do update
                          set updated = excluded.updated, name = excluded.name, content = excluded.content
                        """, flowId, test.id(), now, test.name(), DeepJson.bytes(test.content()))
                        .compose(_ -> tx.query("select count(*) from flow_test where flow_id = $1", flowId))
                        .map(rows -> Rows.whole(rows.iterator().next(), "count"))
                        .compose(addition::check));
    }

    public Future<Boolean> delete(Tx tx, String flowId, String id) {
        return tx.query("delete from flow_test where flow_id = $1 and id = $2 returning id", flowId, id)
                .map(rows -> rows.iterator().hasNext());
    }

    /** Replaces all tests of a flow; tests of the same id keep their place. */
    public Future<Void> replace(Tx tx, String flowId, List<FlowTestCase> tests, FlowTestLimits limits, Instant now) {
        var ids = tests.stream().map(FlowTestCase::id).toArray(String[]::new);
        var done = tx.query("delete from flow_test where flow_id = $1 and not id = any ($2)", flowId, (Object) ids)
                .<Void>mapEmpty();
        for (var index = 0; index < tests.size(); index++) {
            var test = tests.get(index);
            // Tests of one import differ in time, which is their order.
            var at = now.plusNanos(index * 1_000L);
            done = done.compose(_ -> put(tx, flowId, test, limits, at));
        }
        return done;
    }
}
