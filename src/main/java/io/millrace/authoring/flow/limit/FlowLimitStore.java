package io.millrace.authoring.flow.limit;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Statements of the limits of flows. A flow without any has no row. */
final class FlowLimitStore {
    private static final String OF_PROJECT_OF = """
            select flow_id, limits::text as limits from flow_limit
             where project_id = (select project_id from flow_limit where flow_id = $1) order by flow_id
            """;

    private static final RowMapper<LimitRow> LIMITS = RowMapper.of(LimitRow.class, OF_PROJECT_OF);

    private record LimitRow(String flowId, JsonNode limits) {}

    Future<Optional<FlowLimit>> find(Tx tx, String flowId) {
        return tx.query("select limits::text as limits from flow_limit where flow_id = $1", flowId)
                .map(rows -> Rows.first(rows, row -> FlowLimit.trusted(Rows.json(row, "limits"))));
    }

    /** Returns the project of the flow; empty when there is no such flow. */
    Future<Optional<String>> put(Tx tx, String flowId, FlowLimit limit, Instant now) {
        var written = limit.isNone() ? tx.query("""
                        with gone as (delete from flow_limit where flow_id = $1)
                        select project_id from flow where id = $1
                        """, flowId) : tx.query("""
                        insert into flow_limit (flow_id, project_id, updated, limits)
                        select id, project_id, $2, $3 from flow where id = $1
                        on conflict (flow_id) do update set updated = excluded.updated, limits = excluded.limits
                        returning project_id
                        """, flowId, now, limit.toJson());
        return written.map(rows -> Rows.first(rows, row -> Rows.text(row, "project_id")));
    }

    /** Limits of all limited flows in the project of a limited flow, by flow id. */
    Future<Map<String, FlowLimit>> ofProjectOf(Tx tx, String flowId) {
        return tx.query(OF_PROJECT_OF, flowId).map(rows -> {
            var limits = new LinkedHashMap<String, FlowLimit>();
            LIMITS.all(rows).forEach(row -> limits.put(row.flowId(), FlowLimit.trusted(row.limits())));
            return limits;
        });
    }
}
