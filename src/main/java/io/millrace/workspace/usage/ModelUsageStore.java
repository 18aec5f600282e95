package io.millrace.workspace.usage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.row.Unprefixed;
import io.millrace.workspace.usage.ModelUsages.Period;
import io.vertx.core.Future;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/** Rows of {@code model_usage}, one for each project, day and model, and of {@code model_budget}. */
final class ModelUsageStore {
    private static final String SUMS = """
            u.provider, u.model, u.kind, sum(u.calls)::bigint as calls, sum(u.input_tokens)::bigint as input_tokens,
            sum(u.output_tokens)::bigint as output_tokens, sum(u.credits) as credits,
            sum(u.cost_micros)::bigint as cost_micros
            """;

    private static final String BUDGET = """
            select b.tokens_per_month as tokens, coalesce((select sum(u.input_tokens + u.output_tokens)
                                                             from model_usage u
                                                            where u.project_id = $1 and u.day >= $2), 0)::bigint as used
              from model_budget b where b.project_id = $1
            """;

    private static final RowMapper<Budget> BUDGETS = RowMapper.of(Budget.class, BUDGET);

    private static final String BY_DAY = "select u.day::text as day, " + SUMS + """
              from model_usage u where u.project_id = $1 and u.day between $2 and $3
             group by u.day, u.provider, u.model, u.kind order by u.day, u.provider, u.model, u.kind
            """;

    private static final RowMapper<DayUsage> USAGE_BY_DAY = RowMapper.of(DayUsage.class, BY_DAY);

    private static final String BY_PROJECT = "select p.id as project_id, p.display_name, " + SUMS + """
              from model_usage u join project p on p.id = u.project_id
             where p.platform_id = $1 and u.day between $2 and $3
             group by p.id, p.display_name, u.provider, u.model, u.kind
             order by p.display_name, p.id, u.provider, u.model, u.kind
            """;

    private static final RowMapper<ProjectUsage> USAGE_BY_PROJECT = RowMapper.of(ProjectUsage.class, BY_PROJECT);

    private record DayUsage(String day, @Unprefixed ModelUsage usage) {
        ObjectNode toJson() {
            return usage.toJson().put("day", day);
        }
    }

    private record ProjectUsage(
            String projectId,
            String displayName,
            @Unprefixed ModelUsage usage) {
        ObjectNode toJson() {
            return usage.toJson().put("projectId", projectId).put("projectDisplayName", displayName);
        }
    }

    /** Adds nothing for a deleted project. */
    Future<Void> add(Tx tx, String projectId, LocalDate day, ModelUsage usage) {
        return tx.query(
                        """
                        insert into model_usage as u (project_id, day, provider, model, kind, calls, input_tokens,
                                                      output_tokens, credits, cost_micros)
                        select p.id, $2, $3, $4, $5, $6, $7, $8, $9, $10 from project p where p.id = $1
                        on conflict (project_id, day, provider, model, kind) do update
                           set calls = u.calls + excluded.calls, input_tokens = u.input_tokens + excluded.input_tokens,
                               output_tokens = u.output_tokens + excluded.output_tokens,
                               credits = u.credits + excluded.credits,
                               cost_micros = u.cost_micros + excluded.cost_micros
                        """,
                        projectId,
                        day,
                        usage.provider(),
                        usage.model(),
                        usage.kind(),
                        usage.calls(),
                        usage.inputTokens(),
                        usage.outputTokens(),
                        usage.credits(),
                        usage.costMicros())
                .mapEmpty();
    }

    Future<Optional<Budget>> budget(Tx tx, String projectId, LocalDate since) {
        return tx.query(BUDGET, projectId, since).map(BUDGETS::first);
    }

    record Budget(long tokens, long used) {
        boolean isUsedUp() {
            return used >= tokens;
        }
    }

    Future<Long> tokens(Tx tx, String projectId, LocalDate since) {
        return tx.query("""
                        select coalesce(sum(input_tokens + output_tokens), 0)::bigint as used from model_usage
                         where project_id = $1 and day >= $2
                        """, projectId, since)
                .map(rows -> Rows.whole(rows.iterator().next(), "used"));
    }

    /** False when the platform has no such project. */
    Future<Boolean> setBudget(Tx tx, String platformId, String projectId, Optional<Long> tokens) {
        var owned = tx.query("select from project where id = $1 and platform_id = $2", projectId, platformId);
        return owned.compose(rows -> rows.size() == 0
                ? Future.succeededFuture(false)
                : tokens.map(most -> tx.query("""
                                        insert into model_budget (project_id, tokens_per_month) values ($1, $2)
                                        on conflict (project_id) do update set tokens_per_month = excluded.tokens_per_month
                                        """, projectId, most))
                        .orElseGet(() -> tx.query("delete from model_budget where project_id = $1", projectId))
                        .map(true));
    }

    Future<List<ObjectNode>> byDay(Tx tx, String projectId, Period period) {
        return tx.query(BY_DAY, projectId, period.from(), period.to()).map(USAGE_BY_DAY.as(DayUsage::toJson)::all);
    }

    Future<List<ObjectNode>> byProject(Tx tx, String platformId, Period period) {
        return tx.query(BY_PROJECT, platformId, period.from(), period.to())
                .map(USAGE_BY_PROJECT.as(ProjectUsage::toJson)::all);
    }

    Future<Integer> removeBefore(Tx tx, LocalDate day) {
        return tx.query("delete from model_usage where day < $1", day).map(rows -> rows.rowCount());
    }
}
