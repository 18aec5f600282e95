package io.millrace.integration.diagnosis;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.statement.Values;
import io.millrace.engine.run.Run;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Statements of diagnoses; all but that of the limits read tables of the areas below. */
final class DiagnosisStore {
    /** Runs of a flow that are searched for a successful one, in the index of the flow. */
    private static final int RUNS_SEARCHED = 10_000;

    private static final String FORMER = """
            select n.id, n.flow_version_id, n.created, n.finish_time
              from (select e.id, e.flow_version_id, e.created, e.finish_time, e.status, e.environment
                      from ended_run e
                     where e.flow_id = $1 and e.project_id = $2 and (e.created, e.id) < ($3, $4)
                     order by e.created desc, e.id desc limit $5) n
             where n.status = 'SUCCEEDED' and n.environment = $6
             order by n.created desc, n.id desc limit 1
            """;

    private static final RowMapper<FormerRun> FORMER_RUNS = RowMapper.of(FormerRun.class, FORMER);

    private static final String CONNECTIONS = """
            select c.id, c.external_id, c.display_name, c.status, c.created, c.updated
              from app_connection c
             where c.external_id = any($2)
               and (c.project_id = $1 or exists (
                     select from global_connection_project g where g.connection_id = c.id and g.project_id = $1))
             order by c.external_id, c.id limit 100
            """;

    private static final RowMapper<UsedConnection> CONNECTION_ROWS = RowMapper.of(UsedConnection.class, CONNECTIONS);

    private static final String VARIABLES = """
            select v.id, v.name, v.updated from variable v
             where v.project_id = $1 and v.name = any($2) and v.updated > $3 and v.updated <= $4
             order by v.name limit 100
            """;

    private static final RowMapper<ChangedVariable> VARIABLE_ROWS = RowMapper.of(ChangedVariable.class, VARIABLES);

    private static final String LIMITS = """
            select name, former, value, changed from server_setting
             where former is not null and name = $1 and changed > $2 and changed <= $3
            """;

    private static final RowMapper<ChangedLimit> LIMIT_ROWS = RowMapper.of(ChangedLimit.class, LIMITS);

    record UsedConnection(
            String id, String externalId, String displayName, String status, Instant created, Instant updated) {}

    record ChangedVariable(String id, String name, Instant updated) {}

    record ChangedLimit(String name, String former, String value, Instant changed) {}

    Future<Optional<FormerRun>> former(Tx tx, Run run) {
        return tx.query(
                        FORMER,
                        run.flowId(),
                        run.projectId(),
                        run.created(),
                        run.id(),
                        RUNS_SEARCHED,
                        run.environment())
                .map(FORMER_RUNS::first);
    }

    Future<List<UsedConnection>> connections(Tx tx, String projectId, List<String> externalIds) {
        return externalIds.isEmpty()
                ? Future.succeededFuture(List.of())
                : tx.query(CONNECTIONS, projectId, Values.texts(externalIds)).map(CONNECTION_ROWS::all);
    }

    Future<List<ChangedVariable>> variables(Tx tx, String projectId, List<String> names, Instant since, Instant until) {
        return names.isEmpty()
                ? Future.succeededFuture(List.of())
                : tx.query(VARIABLES, projectId, Values.texts(names), since, until)
                        .map(VARIABLE_ROWS::all);
    }

    Future<List<ChangedLimit>> limit(Tx tx, String name, Instant since, Instant until) {
        return tx.query(LIMITS, name, since, until).map(LIMIT_ROWS::all);
    }

    Future<Void> recordLimits(Tx tx, Map<String, String> limits, Instant now) {
        var entries =
                limits.entrySet().stream().sorted(Map.Entry.comparingByKey()).toList();
        return tx.query("""
                        insert into server_setting as s (name, value, changed)
                        select n.name, n.value, $3 from unnest($1::text[], $2::text[]) as n (name, value)
                        on conflict (name) do update
                           set former = s.value, value = excluded.value, changed = excluded.changed
                         where s.value <> excluded.value
                        """, Values.texts(entries, Map.Entry::getKey), Values.texts(entries, Map.Entry::getValue), now)
                .mapEmpty();
    }
}
