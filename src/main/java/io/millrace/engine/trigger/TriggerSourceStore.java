package io.millrace.engine.trigger;

import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.base.core.Nullable;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.Values;
import io.millrace.engine.trigger.HookContext.Listening;
import io.millrace.piece.CronSchedule;
import io.millrace.piece.TriggerSpec;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads the tables of flows and of live nodes. */
final class TriggerSourceStore {
    private static final String COLUMNS = """
            s.id, s.project_id, s.flow_id, s.flow_version_id, s.type, s.trigger_name, s.piece_name, s.piece_version,
            s.cron_expression, s.timezone, s.simulate, s.timer, s.next_due, s.fence
            """;

    private static final String SELECT = "select " + COLUMNS + " from trigger_source s ";

    private static final RowMapper<TriggerSource> SOURCES =
            RowMapper.of(SourceRow.class, SELECT).as(SourceRow::source);

    private static final String HEARING = """
            select f.project_id, f.id as flow_id, v.id as flow_version_id, v.display_name as flow_name
            from trigger_listener l
            join trigger_source s on s.id = l.source_id
            join flow f on f.id = s.flow_id
            join flow_version v on v.id = s.flow_version_id
            where l.app_name = $1 and l.event = $2 and l.identifier = $3
              and s.deleted is null and not s.simulate
              and f.status = 'ENABLED' and f.published_version_id = s.flow_version_id
              and f.operation_status <> 'DELETING'
            order by f.id
            for share of f
            """;

    private static final RowMapper<RunIntake.Target> TARGETS = RowMapper.of(RunIntake.Target.class, HEARING);

    private static final String LISTENING = """
            select s.flow_id, bool_and(s.simulate) as sampling
              from trigger_listener l join trigger_source s on s.id = l.source_id
             where l.app_name = $1 and l.event = $2 and l.identifier = $3 and s.deleted is null
             group by s.flow_id order by s.flow_id
            """;

    private static final RowMapper<Triggers.Hearing> HEARINGS = RowMapper.of(Triggers.Hearing.class, LISTENING);

    private static final String STATE = "select status, operation_status, published_version_id from flow where id = $1";

    private static final RowMapper<FiringState> STATES = RowMapper.of(FiringState.class, STATE);

    private record SourceRow(
            String id,
            String projectId,
            String flowId,
            String flowVersionId,
            TriggerSpec.Strategy type,
            String triggerName,
            String pieceName,
            String pieceVersion,
            @Nullable String cronExpression,
            @Nullable String timezone,
            boolean simulate,
            @Nullable TriggerSource.Timer timer,
            @Nullable Instant nextDue,
            long fence) {
        TriggerSource source() {
            var schedule = cronExpression == null
                    ? null
                    : new CronSchedule(cronExpression, timezone == null ? "UTC" : timezone);
            return new TriggerSource(
                    id,
                    projectId,
                    flowId,
                    flowVersionId,
                    type,
                    triggerName,
                    pieceName,
                    pieceVersion,
                    schedule,
                    simulate,
                    timer,
                    nextDue,
                    fence);
        }
    }

    Future<Void> replace(Tx tx, TriggerSource source, List<Listening> listeners) {
        return removeLive(tx, source.flowId(), source.simulate())
                .compose(_ -> insert(tx, source))
                .compose(_ -> listeners.isEmpty() ? Future.succeededFuture() : insertListeners(tx, source, listeners));
    }

    private Future<Void> insert(Tx tx, TriggerSource source) {
        var schedule = Optional.ofNullable(source.schedule());
        return tx.query(
                        """
                        insert into trigger_source (id, created, updated, project_id, flow_id, flow_version_id, type,
                          trigger_name, piece_name, piece_version, cron_expression, timezone, simulate, timer, next_due)
                        values ($1, now(), now(), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
                        """,
                        source.id(),
                        source.projectId(),
                        source.flowId(),
                        source.flowVersionId(),
                        source.type(),
                        source.triggerName(),
                        source.pieceName(),
                        source.pieceVersion(),
                        schedule.map(CronSchedule::expression),
                        schedule.map(CronSchedule::timezone),
                        source.simulate(),
                        Optional.ofNullable(source.timer()),
                        Optional.ofNullable(source.nextDue()))
                .mapEmpty();
    }

    private Future<Void> insertListeners(Tx tx, TriggerSource source, List<Listening> listeners) {
        return tx.query(
                        """
                        insert into trigger_listener (source_id, project_id, flow_id, app_name, event, identifier)
                        select $1, $2, $3, $4, l.event, l.identifier
                        from unnest($5::text[], $6::text[]) as l (event, identifier)
                        on conflict do nothing
                        """,
                        source.id(),
                        source.projectId(),
                        source.flowId(),
                        source.pieceName(),
                        listeners.stream().map(Listening::event).toArray(String[]::new),
                        listeners.stream().map(Listening::identifier).toArray(String[]::new))
                .mapEmpty();
    }

    /** Removes a flow's live source: its row is kept as history, its listeners are deleted. */
    Future<Void> removeLive(Tx tx, String flowId, boolean simulate) {
        return tx.query("""
                        delete from trigger_listener where source_id in (
                          select id from trigger_source where flow_id = $1 and simulate = $2 and deleted is null)
                        """, flowId, simulate)
                .compose(_ -> tx.query("""
                        update trigger_source set deleted = now(), updated = now()
                        where flow_id = $1 and simulate = $2 and deleted is null
                        """, flowId, simulate))
                .mapEmpty();
    }

    Future<Optional<TriggerSource>> findLive(Tx tx, String flowId, boolean simulate) {
        return tx.query(SELECT + " where s.flow_id = $1 and s.simulate = $2 and s.deleted is null", flowId, simulate)
                .map(SOURCES::first);
    }

    /** Ids of the flows of a project that simulate for an editor. */
    Future<List<String>> findSimulating(Tx tx, String projectId) {
        return tx.query("""
                        select flow_id from trigger_source where project_id = $1 and simulate and deleted is null
                        order by flow_id
                        """, projectId).map(rows -> Rows.all(rows, row -> Rows.text(row, "flow_id")));
    }

    /** Locks a flow against its deletion until the transaction ends; returns false if it or its project is deleted. */
    Future<Boolean> lockExisting(Tx tx, String flowId) {
        return tx.query("""
                        select f.id from flow f join project p on p.id = f.project_id
                         where f.id = $1 and f.operation_status <> 'DELETING' and p.deleted is null
                           for share
                        """, flowId).map(rows -> rows.size() == 1);
    }

    /** Flows that receive an event; sampling only, if all their listening sources simulate for an editor. */
    Future<List<Triggers.Hearing>> listening(Tx tx, String appName, String event, String identifier) {
        return tx.query(LISTENING, appName, event, identifier).map(HEARINGS::all);
    }

    /** Enabled flows that receive an event, with the listening version; locked against disabling until the transaction ends. */
    Future<List<RunIntake.Target>> subscribed(Tx tx, String appName, String event, String identifier) {
        return tx.query(HEARING, appName, event, identifier).map(TARGETS::all);
    }

    /** Empty when there are several platforms, or none yet. */
    Future<Optional<String>> onlyPlatform(Tx tx) {
        return tx.query("select min(id) as id from platform having count(*) = 1")
                .map(rows -> Rows.first(rows, row -> Rows.text(row, "id")));
    }

    Future<Map<String, CronSchedule>> schedules(Tx tx, List<String> flowIds) {
        return tx.query(SELECT + """
                        where s.flow_id = any($1) and not s.simulate and s.deleted is null
                          and s.cron_expression is not null
                        """, (Object) flowIds.toArray(String[]::new))
                .map(rows -> SOURCES.all(rows).stream()
                        .collect(Collectors.toMap(TriggerSource::flowId, TriggerSource::schedule)));
    }

    /** A source claimed by another node is skipped while the lease of that node is valid. */
    Future<List<TriggerSource>> claimDue(Tx tx, String nodeId, Instant now, int limit) {
        return tx.query("""
                        update trigger_source s set owner = $1, fence = fence + 1
                        where s.id in (
                          select d.id from trigger_source d
                          where d.next_due <= $2 and d.deleted is null
                            and not exists (select from node n where n.id = d.owner and n.lease_until > now())
                          order by d.next_due limit $3 for update skip locked)
                        returning\s""" + COLUMNS, nodeId, now, limit).map(SOURCES::all);
    }

    Future<Optional<Instant>> earliestDue(Tx tx) {
        return tx.query("""
                        select min(s.next_due) as due from trigger_source s
                        where s.next_due is not null and s.deleted is null
                          and not exists (select from node n where n.id = s.owner and n.lease_until > now())
                        """)
                .map(rows -> Rows.first(rows, row -> Rows.optionalInstant(row, "due"))
                        .flatMap(due -> due));
    }

    Future<List<TriggerSource>> waiting(Tx tx, Instant now, String afterId, int limit) {
        return tx.query(SELECT + """
                        where s.next_due > $1 and s.deleted is null and s.id > $2
                          and not exists (select from node n where n.id = s.owner and n.lease_until > now())
                        order by s.id limit $3
                        """, now, afterId, limit).map(SOURCES::all);
    }

    /** Returns false if the source has changed since it was read. */
    Future<Boolean> bringNearer(Tx tx, TriggerSource source, Instant nextDue) {
        return tx.query("""
                        update trigger_source set next_due = $3, updated = now()
                        where id = $1 and fence = $2 and next_due > $3 and deleted is null
                        """, source.id(), source.fence(), nextDue).map(rows -> rows.rowCount() == 1);
    }

    Future<Void> removeFires(Tx tx, String flowId, Instant from) {
        return tx.query("delete from trigger_fire where flow_id = $1 and due >= $2", flowId, from)
                .mapEmpty();
    }

    enum Standing {
        /** Enabled with this source's version: it may fire. */
        READY,
        /** Another operation on the flow is in progress and also updates the source. */
        BUSY,
        /** The flow is disabled or deleted, or has another version. */
        STALE,
        /** Another node has claimed the source, or it has been replaced. */
        LOST
    }

    /** Reads the current status of the flow of a source, without a lock. */
    Future<Standing> standing(Tx tx, TriggerSource source) {
        return tx.query(STATE, source.flowId()).map(rows -> standing(rows, source));
    }

    /** Locks a claimed source and its flow until the transaction ends; returns whether it may fire. */
    Future<Standing> lock(Tx tx, TriggerSource source) {
        return tx.query(STATE + " for share", source.flowId())
                .map(rows -> standing(rows, source))
                .compose(standing -> tx.query(
                                "select id from trigger_source where id = $1 and fence = $2 and deleted is null for update",
                                source.id(),
                                source.fence())
                        .map(rows -> rows.size() == 0 ? Standing.LOST : standing));
    }

    private static Standing standing(RowSet<Row> rows, TriggerSource source) {
        return STATES.first(rows).map(flow -> flow.standing(source)).orElse(Standing.STALE);
    }

    private record FiringState(
            FlowStatus status,
            String operationStatus,
            @Nullable String publishedVersionId) {
        Standing standing(TriggerSource source) {
            if (!operationStatus.equals("NONE")) {
                return Standing.BUSY;
            }
            return status == FlowStatus.ENABLED && source.flowVersionId().equals(publishedVersionId)
                    ? Standing.READY
                    : Standing.STALE;
        }
    }

    /** Returns the number of new times. */
    Future<Integer> insertFires(Tx tx, String flowId, List<Instant> due) {
        return tx.query("""
                        insert into trigger_fire (flow_id, due) select $1, d from unnest($2::timestamptz[]) as d
                        on conflict do nothing returning due
                        """, flowId, Values.instants(due, at -> at)).map(rows -> rows.size());
    }

    /** The next time is null for a source that is no longer due. */
    Future<Void> release(Tx tx, TriggerSource source, Instant nextDue) {
        return tx.query("""
                        update trigger_source set owner = '', next_due = $3, updated = now()
                        where id = $1 and fence = $2
                        """, source.id(), source.fence(), Optional.ofNullable(nextDue))
                .mapEmpty();
    }

    Future<Void> purge(Tx tx, Instant before) {
        return tx.query("delete from trigger_source where deleted < $1", before)
                .compose(_ -> tx.query("delete from trigger_fire where due < $1", before))
                .mapEmpty();
    }
}
