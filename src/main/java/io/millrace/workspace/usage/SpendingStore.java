package io.millrace.workspace.usage;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.piece.model.ModelSpender;
import io.vertx.core.Future;
import java.time.LocalDate;
import java.util.List;

/** Rows of {@code model_limit}, and of {@code model_spending} with what flows and agents use in a month. */
final class SpendingStore {
    private static final String LIMITS = """
            select l.scope, l.subject_id, l.tokens_per_month as tokens_max, l.cost_micros_per_month as cost_micros_max,
                   (case l.scope when 'PROJECT'
                         then (select coalesce(sum(u.input_tokens + u.output_tokens), 0) from model_usage u
                                where u.project_id = $1 and u.day >= $2)
                         else coalesce((select m.tokens from model_spending m
                                         where m.project_id = $1 and m.month = $2 and m.scope = l.scope
                                           and m.subject_id = l.subject_id), 0) end)::bigint as tokens,
                   (case l.scope when 'PROJECT'
                         then (select coalesce(sum(u.cost_micros), 0) from model_usage u
                                where u.project_id = $1 and u.day >= $2)
                         else coalesce((select m.cost_micros from model_spending m
                                         where m.project_id = $1 and m.month = $2 and m.scope = l.scope
                                           and m.subject_id = l.subject_id), 0) end)::bigint as cost_micros
              from model_limit l where l.project_id = $1
            """;

    private static final RowMapper<SpendingLimit> LIMITS_FOUND = RowMapper.of(SpendingLimit.class, LIMITS);

    /** Adds to the month of a flow and an agent; nothing for a deleted project. */
    Future<Void> add(Tx tx, String projectId, LocalDate month, ModelSpender spender, ModelUsage usage) {
        return tx.query(
                        """
                        insert into model_spending as s (project_id, month, scope, subject_id, tokens, cost_micros)
                        select p.id, $2, subject.scope, subject.id, $5, $6
                          from project p, (values ('FLOW', $3::text), ('AGENT', $4::text)) as subject (scope, id)
                         where p.id = $1 and subject.id is not null
                        on conflict (project_id, month, scope, subject_id) do update
                           set tokens = s.tokens + excluded.tokens, cost_micros = s.cost_micros + excluded.cost_micros
                        """,
                        projectId,
                        month,
                        spender.flowId().orElse(null),
                        spender.agentId().orElse(null),
                        usage.inputTokens() + usage.outputTokens(),
                        usage.costMicros())
                .mapEmpty();
    }

    Future<List<SpendingLimit>> of(Tx tx, String projectId, LocalDate month, ModelSpender spender) {
        return tx.query(
                        LIMITS + """
                           and (l.scope = 'PROJECT' or l.scope = 'FLOW' and l.subject_id = $3::text
                                or l.scope = 'AGENT' and l.subject_id = $4::text)
                        """,
                        projectId,
                        month,
                        spender.flowId().orElse(null),
                        spender.agentId().orElse(null))
                .map(LIMITS_FOUND::all);
    }

    Future<List<SpendingLimit>> all(Tx tx, String projectId, LocalDate month) {
        return tx.query(LIMITS + " order by l.scope, l.subject_id limit 1000", projectId, month)
                .map(LIMITS_FOUND::all);
    }

    /** Sets a limit, or removes it if it has neither tokens nor money. False when the platform has no such project. */
    Future<Boolean> set(Tx tx, String platformId, String projectId, SpendingLimit limit) {
        return tx.query("select from project where id = $1 and platform_id = $2", projectId, platformId)
                .compose(owned -> owned.size() == 0
                        ? Future.succeededFuture(false)
                        : write(tx, projectId, limit).map(true));
    }

    private static Future<Void> write(Tx tx, String projectId, SpendingLimit limit) {
        if (limit.tokensMax().isEmpty() && limit.costMicrosMax().isEmpty()) {
            return tx.query(
                            "delete from model_limit where project_id = $1 and scope = $2 and subject_id = $3",
                            projectId,
                            limit.scope(),
                            limit.subjectId())
                    .mapEmpty();
        }
        return tx.query(
                        """
                        insert into model_limit (project_id, scope, subject_id, tokens_per_month, cost_micros_per_month)
                        values ($1, $2, $3, $4, $5)
                        on conflict (project_id, scope, subject_id) do update
                           set tokens_per_month = excluded.tokens_per_month,
                               cost_micros_per_month = excluded.cost_micros_per_month
                        """,
                        projectId,
                        limit.scope(),
                        limit.subjectId(),
                        limit.tokensMax().orElse(null),
                        limit.costMicrosMax().orElse(null))
                .mapEmpty();
    }

    Future<Integer> removeBefore(Tx tx, LocalDate month) {
        return tx.query("delete from model_spending where month < $1", month).map(rows -> rows.rowCount());
    }
}
