package io.millrace.engine.action;

import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.row.Unprefixed;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

final class ActionRunStore {
    private static final String COLUMNS = """
            id, created, project_id, user_id, piece_name, piece_version, action_name, connection, origin, timeout_seconds,
            on_crash, status, started, ended, error_message
            """;

    private static final String PAGE = "select " + COLUMNS + """
             from action_run where project_id = $1 and ($2::text is null or piece_name = $2)
              and ($3::text is null or action_name = $3) and ($4::text is null or status = $4)
            """;

    private static final RowMapper<ActionRun> RUNS = RowMapper.of(ActionRun.class, PAGE);

    private static final String WHOLE = "select " + COLUMNS + ", shown_input, output, log from action_run ";

    private static final RowMapper<ActionRun.Details> WHOLES =
            RowMapper.of(WholeRow.class, WHOLE).as(WholeRow::whole);

    private static final String OF_KEY = "select " + COLUMNS + ", shown_input, output, log, fingerprint from action_run"
            + " where project_id = $1 and start_key = $2";

    private static final RowMapper<KeyedRow> KEYED = RowMapper.of(KeyedRow.class, OF_KEY);

    private static final String CLAIMED = "select " + COLUMNS + ", platform_id, sealed_input, fence from action_run";

    private static final RowMapper<ClaimedRow> CLAIMED_ROWS = RowMapper.of(ClaimedRow.class, CLAIMED);

    private record WholeRow(
            @Unprefixed ActionRun run, Buffer shownInput, Optional<Buffer> output, Optional<String> log) {
        ActionRun.Details whole() {
            return new ActionRun.Details(run, shownInput, output, log);
        }
    }

    record KeyedRow(
            @Unprefixed ActionRun run,
            Buffer shownInput,
            Optional<Buffer> output,
            Optional<String> log,
            String fingerprint) {
        ActionRun.Details whole() {
            return new ActionRun.Details(run, shownInput, output, log);
        }
    }

    record ClaimedRow(@Unprefixed ActionRun run, String platformId, Optional<Buffer> sealedInput, long fence) {}

    record HiddenColumns(
            String platformId, Optional<String> key, String fingerprint, Buffer shownInput, Buffer sealedInput) {}

    /** Returns whether the run was inserted; another run may have its key. */
    Future<Boolean> insert(Tx tx, ActionRun run, HiddenColumns hidden) {
        return tx.query(
                        """
                        insert into action_run (id, created, platform_id, project_id, user_id, piece_name, piece_version,
                          action_name, connection, origin, timeout_seconds, on_crash, start_key, fingerprint, shown_input,
                          sealed_input, status)
                        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
                        on conflict do nothing returning id
                        """,
                        run.id(),
                        run.created(),
                        hidden.platformId(),
                        run.projectId(),
                        run.userId(),
                        run.pieceName(),
                        run.pieceVersion(),
                        run.actionName(),
                        run.connection(),
                        run.origin(),
                        run.timeoutSeconds(),
                        run.onCrash(),
                        hidden.key(),
                        hidden.fingerprint(),
                        hidden.shownInput(),
                        hidden.sealedInput(),
                        run.status())
                .map(rows -> rows.size() > 0);
    }

    Future<Integer> countUnfinished(Tx tx, String projectId) {
        return tx.query(
                        "select count(*)::integer as unfinished from action_run where project_id = $1 and ended is null",
                        projectId)
                .map(rows ->
                        Rows.first(rows, row -> Rows.integer(row, "unfinished")).orElse(0));
    }

    Future<Optional<KeyedRow>> findOfKey(Tx tx, String projectId, String key) {
        return tx.query(OF_KEY, projectId, key).map(KEYED::first);
    }

    Future<Optional<ActionRun.Details>> find(Tx tx, String id) {
        return tx.query(WHOLE + "where id = $1", id).map(WHOLES::first);
    }

    Future<Page<ActionRun>> page(Tx tx, ActionRuns.Find ask) {
        return tx.page(
                PAGE,
                Paging.newestFirst().on("created", "id"),
                ask.page(),
                RUNS,
                run -> new PageKey(run.created(), run.id()),
                ask.projectId(),
                ask.pieceName(),
                ask.actionName(),
                ask.status());
    }

    /** Claims runs without a live owner; the fence of this claim invalidates earlier claims. */
    Future<List<ClaimedRow>> claim(Tx tx, String nodeId, ActionRuns.Claim claim) {
        return tx.query(
                        """
                        update action_run set owner = $1, fence = fence + 1, status = 'RUNNING',
                               started = coalesce(started, now())
                         where id in (
                           select w.id from action_run w
                            where w.ended is null and not (w.id = any ($3))
                              and (w.owner = $1
                                   or not exists (select from node n where n.id = w.owner and n.lease_until > now()))
                            order by w.created limit $2 for update skip locked)
                        returning
                        """ + COLUMNS + ", platform_id, sealed_input, fence",
                        nodeId,
                        claim.limit(),
                        Values.texts(claim.underWay()))
                .map(CLAIMED_ROWS::all);
    }

    /** Returns whether the claim was still valid. */
    Future<Boolean> finish(Tx tx, ActionRuns.Finish end, Optional<Buffer> output) {
        return tx.query(
                        """
                        update action_run set status = $3, ended = now(), output = $4, error_message = $5, log = $6,
                               sealed_input = null
                         where id = $1 and fence = $2 and ended is null returning id
                        """,
                        end.id(),
                        end.fence(),
                        end.status(),
                        output,
                        Optional.ofNullable(end.errorMessage()),
                        end.log())
                .map(rows -> rows.size() > 0);
    }

    /** Deletes a batch of runs that ended before the retention of the server, or of their project. */
    Future<Integer> dropExpired(Tx tx, Instant now, int daysMax, int limit) {
        return tx.query("""
                        delete from action_run where id in (
                          select r.id from action_run r
                            left join run_retention k on k.project_id = r.project_id and k.flow_id is null
                           where r.ended < $1::timestamptz - make_interval(days => least($2::integer, k.days))
                           limit $3)
                        returning id
                        """, now, daysMax, limit).map(rows -> rows.size());
    }
}
