package io.millrace.integration.analytics;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.Nullable;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;

final class ReportStore {
    private static final String LOCK = "select pg_advisory_xact_lock(hashtextextended('analytics/' || $1, 0))";

    private static final String FIND = """
            select id, created, updated, platform_id, cached_at, runs::text as runs, flows::text as flows
              from analytics_report
             where platform_id = $1
            """;

    private static final RowMapper<AnalyticsReport> REPORTS = RowMapper.of(AnalyticsReport.class, FIND);

    private static final String PUT = """
            insert into analytics_report (id, created, updated, platform_id, cached_at, runs, flows)
            values ($1, $2, $3, $4, $5, $6, $7)
            on conflict (platform_id) do update
               set updated = excluded.updated, cached_at = excluded.cached_at, runs = excluded.runs, flows = excluded.flows
            """;

    private static final String RUNS = """
            select to_char(r.created at time zone 'UTC', 'YYYY-MM-DD') as day, r.flow_id, count(*) as runs,
                   count(*) filter (where r.status not in ('SUCCEEDED', 'CANCELED')) as failed_runs,
                   coalesce(sum(extract(epoch from r.finish_time - coalesce(r.start_time, r.created)) * 1000), 0)::bigint
                       as duration_ms
              from ended_run r
              join project p on p.id = r.project_id
             where p.platform_id = $1 and p.deleted is null and r.environment = 'PRODUCTION' and r.created >= $2
             group by 1, 2
             order by 1, 2
            """;

    private static final RowMapper<ObjectNode> RUNS_OF_DAYS =
            RowMapper.of(DayRuns.class, RUNS).as(DayRuns::toJson);

    private static final String FLOWS = """
            select f.id as flow_id, v.display_name as flow_name, p.id as project_id, p.display_name as project_name, f.status, f.time_saved_per_run,
                   f.owner_id
              from flow f
              join project p on p.id = f.project_id
              join lateral (select display_name
                              from flow_version
                             where flow_id = f.id
                             order by created desc, id desc
                             limit 1) v on true
             where p.platform_id = $1 and p.deleted is null
             order by f.created, f.id
            """;

    private static final RowMapper<ObjectNode> REPORTED_FLOWS =
            RowMapper.of(ReportedFlow.class, FLOWS).as(ReportedFlow::toJson);

    private record DayRuns(String day, String flowId, long runs, long failedRuns, long durationMs) {
        ObjectNode toJson() {
            return Json.object()
                    .put("day", day)
                    .put("flowId", flowId)
                    .put("runs", runs)
                    .put("failedRuns", failedRuns)
                    .put("durationMs", durationMs);
        }
    }

    private record ReportedFlow(
            String flowId,
            String flowName,
            String projectId,
            String projectName,
            String status,
            @Nullable Double timeSavedPerRun,
            @Nullable String ownerId) {
        ObjectNode toJson() {
            var flow = Json.object()
                    .put("flowId", flowId)
                    .put("flowName", flowName)
                    .put("projectId", projectId)
                    .put("projectName", projectName)
                    .put("status", status)
                    .put("ownerId", ownerId);
            flow.set("timeSavedPerRun", Json.number(timeSavedPerRun));
            return flow;
        }
    }

    /** Serializes the computation of a report, so that waiting requests find the result. */
    Future<Void> lock(Tx tx, String platformId) {
        return tx.query(LOCK, platformId).mapEmpty();
    }

    Future<Optional<AnalyticsReport>> find(Tx tx, String platformId) {
        return tx.query(FIND, platformId).map(REPORTS::first);
    }

    Future<Void> put(Tx tx, AnalyticsReport report) {
        return tx.query(
                        PUT,
                        report.id(),
                        report.created(),
                        report.updated(),
                        report.platformId(),
                        report.cachedAt(),
                        report.runs(),
                        report.flows())
                .mapEmpty();
    }

    Future<ArrayNode> runs(Tx tx, String platformId, Instant since) {
        return tx.query(RUNS, platformId, since).map(rows -> array(RUNS_OF_DAYS.all(rows)));
    }

    Future<ArrayNode> flows(Tx tx, String platformId) {
        return tx.query(FLOWS, platformId).map(rows -> array(REPORTED_FLOWS.all(rows)));
    }

    private static ArrayNode array(Iterable<ObjectNode> items) {
        var array = Json.array();
        items.forEach(array::add);
        return array;
    }
}
