package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.Nullable;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.row.Unprefixed;
import io.millrace.base.persistence.statement.Values;
import io.millrace.base.secret.SecretBox;
import io.millrace.base.secret.UnreadableSecretException;
import io.millrace.engine.agent.machine.AgentState;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows of {@code agent_run} and {@code agent_run_record}. The input of a run is encrypted at rest; this class receives and
 * returns it sealed.
 */
final class AgentRunStore {
    private static final String COLUMNS = """
            r.id, r.created, r.updated, r.platform_id, r.project_id, r.user_id, r.agent_id, r.flow_id, r.flow_run_id,
            r.waitpoint_id, r.title, r.model_name, r.state::text as state, r.result::text as result, r.ai_credits,
            (select v.display_name from flow_version v where v.flow_id = r.flow_id
              order by v.created desc, v.id desc limit 1) as flow_name
            """;

    private static final String SELECT = "select " + COLUMNS + " from agent_run r ";

    private static final RowMapper<AgentRun> RUNS =
            RowMapper.of(AgentRunRow.class, SELECT).as(AgentRunRow::run);

    private static final String SELECT_TAKEN =
            "select " + COLUMNS + ", r.sealed_work, r.fence, r.crashes from agent_run r ";

    private static final RowMapper<TakenRow> TAKEN = RowMapper.of(TakenRow.class, SELECT_TAKEN);

    private static final String ENTRIES = """
            select turn, call, content::text as content from agent_run_record where run_id = $1 order by turn, call
            """;

    private static final RowMapper<AgentRun.Entry> ENTRY_ROWS = RowMapper.of(AgentRun.Entry.class, ENTRIES);

    /**
     * Most bytes of records that are read: twice those of a run that may ask its model again, for the results of its last
     * turn.
     */
    static final long RECORD_BYTES_MAX = 2 * AgentEntries.BYTES_MAX;

    /** Most bytes of records that are read of a run without a further turn: more than a result shows. */
    static final long SHOWN_BYTES_MAX = 1 << 20;

    /** The first records of a run and the size of all; a single row without a record when the first one is too large. */
    private static final String FIRST_ENTRIES = """
            select sized.bytes::bigint as bytes, e.turn, e.call, e.content::text as content
              from (select coalesce(sum(octet_length(content::text)), 0) as bytes from agent_run_record
                     where run_id = $1) sized
              left join (select turn, call, content,
                                sum(octet_length(content::text)) over (order by turn, call) as bytes_so_far
                           from agent_run_record where run_id = $1) e on e.bytes_so_far <= $2
             order by e.turn, e.call
            """;

    private static final RowMapper<FirstEntry> FIRST_ENTRY_ROWS = RowMapper.of(FirstEntry.class, FIRST_ENTRIES);

    /** The table of live flow runs has no row of a run that has ended. */
    private static final String LOOK = """
            select r.id, r.fence, r.cancelled or r.flow_run_id is not null
                   and not exists (select from run f where f.id = r.flow_run_id) as over
              from agent_run r where r.id = any ($1)
            """;

    private static final RowMapper<StandingRow> STANDINGS = RowMapper.of(StandingRow.class, LOOK);

    private record AgentRunRow(
            String id,
            Instant created,
            Instant updated,
            String platformId,
            String projectId,
            @Nullable String userId,
            @Nullable String agentId,
            @Nullable String flowId,
            @Nullable String flowName,
            @Nullable String flowRunId,
            @Nullable String waitpointId,
            String title,
            String modelName,
            ObjectNode state,
            @Nullable ObjectNode result,
            @Nullable Double aiCredits) {
        AgentRun run() {
            return new AgentRun(
                    id,
                    created,
                    updated,
                    platformId,
                    projectId,
                    userId,
                    agentId,
                    flowId,
                    flowName,
                    flowRunId,
                    waitpointId,
                    title,
                    modelName,
                    AgentStates.read(state),
                    result,
                    aiCredits);
        }
    }

    private record TakenRow(@Unprefixed AgentRunRow row, Buffer sealedWork, long fence, int crashes) {}

    private record FirstEntry(long bytes, @Unprefixed Optional<AgentRun.Entry> entry) {}

    private record StandingRow(String id, long fence, boolean over) {
        AgentRunRows.Standing standing(long ownFence) {
            if (fence != ownFence) {
                return AgentRunRows.Standing.LOST;
            }
            return over ? AgentRunRows.Standing.CANCELLED : AgentRunRows.Standing.GOES_ON;
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(AgentRunStore.class);

    private final SecretBox box;

    AgentRunStore(SecretBox box) {
        this.box = box;
    }

    Future<Optional<String>> insert(Tx tx, AgentRun run, AgentWork work) {
        return tx.query(
                        """
                        insert into agent_run (id, created, updated, platform_id, project_id, user_id, agent_id, flow_id,
                                               flow_run_id, waitpoint_id, title, model_name, state, sealed_work)
                        values ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
                        on conflict do nothing
                        returning id
                        """,
                        run.id(),
                        run.created(),
                        run.platformId(),
                        run.projectId(),
                        Optional.ofNullable(run.userId()),
                        Optional.ofNullable(run.agentId()),
                        Optional.ofNullable(run.flowId()),
                        Optional.ofNullable(run.flowRunId()),
                        Optional.ofNullable(run.waitpointId()),
                        run.title(),
                        run.modelName(),
                        AgentStates.write(run.state()),
                        Buffer.buffer(box.seal(Json.bytes(work.toJson()), place(run.id()))))
                .map(rows -> Rows.first(rows, row -> Rows.text(row, "id")));
    }

    Future<Optional<String>> findOfWaitpoint(Tx tx, String waitpointId) {
        return tx.query("select id from agent_run where waitpoint_id = $1", waitpointId)
                .map(rows -> Rows.first(rows, row -> Rows.text(row, "id")));
    }

    Future<Integer> startedLately(Tx tx, String projectId) {
        return tx.query(
                        "select count(*)::integer as started from agent_run"
                                + " where project_id = $1 and created > now() - interval '1 minute'",
                        projectId)
                .map(rows ->
                        Rows.first(rows, row -> Rows.integer(row, "started")).orElse(0));
    }

    /**
     * Claims the oldest run without a live owner; the fence of this claim invalidates earlier claims. A node that stopped as
     * planned has no row: an owner with an expired lease has crashed.
     */
    Future<Optional<AgentRun.ClaimedRun>> claim(Tx tx, String nodeId, AgentRunRows.Claim claim) {
        return tx.query("""
                        with due as (
                          select w.id from agent_run w
                           where not w.delivered and not (w.id = any ($2))
                             and (w.owner = $1
                                  or not exists (select from node n where n.id = w.owner and n.lease_until > now()))
                           order by w.created limit 1 for update skip locked),
                        judged as (
                          select w.id, (select count(*) from agent_run_record e where e.run_id = w.id)::integer as progress,
                                 w.owner <> $1 and exists (select from node n where n.id = w.owner) as crashed
                            from agent_run w join due on due.id = w.id)
                        update agent_run r set owner = $1, fence = r.fence + 1,
                               crashes = case when not j.crashed then r.crashes
                                              when j.progress > r.crash_progress then 1
                                              else r.crashes + 1 end,
                               crash_progress = case when j.crashed then j.progress else r.crash_progress end
                          from judged j where r.id = j.id
                        returning
                        """ + COLUMNS + ", r.sealed_work, r.fence, r.crashes", nodeId, Values.texts(claim.underWay()))
                .map(TAKEN::first)
                .compose(found -> found.map(taken ->
                                records(tx, taken, bytesMax(taken, claim)).map(Optional::of))
                        .orElse(Future.succeededFuture(Optional.empty())));
    }

    private static long bytesMax(TakenRow taken, AgentRunRows.Claim claim) {
        var run = taken.row().run();
        var ends = run.state() instanceof AgentState.Finished
                || run.created().isBefore(claim.endsBefore())
                || taken.crashes() > claim.crashesMax();
        return ends ? SHOWN_BYTES_MAX : RECORD_BYTES_MAX;
    }

    private Future<AgentRun.ClaimedRun> records(Tx tx, TakenRow taken, long bytesMax) {
        return tx.query(FIRST_ENTRIES, taken.row().id(), bytesMax)
                .map(rows -> takenOf(taken, recordsOf(FIRST_ENTRY_ROWS.all(rows), bytesMax)));
    }

    private static AgentRun.Records recordsOf(List<FirstEntry> rows, long bytesMax) {
        if (rows.isEmpty()) {
            return AgentRun.Records.NONE;
        }
        var bytes = rows.getFirst().bytes();
        var entries = rows.stream().flatMap(row -> row.entry().stream()).toList();
        return new AgentRun.Records(entries, bytes, bytes <= bytesMax);
    }

    Future<Optional<AgentRun.ClaimedRun>> whole(Tx tx, String id) {
        return tx.query(SELECT_TAKEN + "where r.id = $1", id)
                .map(TAKEN::first)
                .compose(found -> found.map(
                                taken -> records(tx, taken, RECORD_BYTES_MAX).map(Optional::of))
                        .orElse(Future.succeededFuture(Optional.empty())));
    }

    Future<List<AgentRun.Entry>> entries(Tx tx, String id) {
        return tx.query(ENTRIES, id).map(ENTRY_ROWS::all);
    }

    /**
     * One statement, so that an entry is never there without the state that follows it. Safe to repeat: credits are added with
     * the entry only, which another attempt may have inserted.
     */
    Future<Boolean> advance(Tx tx, AgentRunRows.Advance advance) {
        var entry = advance.entry();
        var tokens = advance.state() instanceof AgentState.Finished(var progress, var _) ? progress.tokens() : 0;
        return tx.query(
                        """
                        with held as (
                          select id from agent_run where id = $1 and fence = $2 for update),
                        kept as (
                          insert into agent_run_record (run_id, turn, call, content)
                          select id, $5, $6, $7::json from held where $7::json is not null
                          on conflict do nothing
                          returning run_id)
                        update agent_run r set state = $3, updated = now(), result = $4::json,
                               ended = case when $4::json is null then null else coalesce(ended, now()) end,
                               tokens = greatest(tokens, $8),
                               ai_credits = case when exists (select from kept)
                                                 then coalesce(ai_credits + $9, $9, ai_credits) else ai_credits end
                          from held where r.id = held.id
                        returning r.id
                        """,
                        advance.id(),
                        advance.fence(),
                        AgentStates.write(advance.state()),
                        Optional.ofNullable(advance.result()),
                        entry.map(AgentRun.Entry::turn).orElse(0),
                        entry.map(AgentRun.Entry::call).orElse(0),
                        entry.map(AgentRun.Entry::content),
                        tokens,
                        entry.map(made -> made.content().path(AgentEntries.CREDITS))
                                .filter(JsonNode::isNumber)
                                .map(JsonNode::asDouble))
                .map(rows -> rows.size() > 0);
    }

    Future<Void> delivered(Tx tx, String id, long fence) {
        return tx.query("update agent_run set delivered = true where id = $1 and fence = $2", id, fence)
                .mapEmpty();
    }

    Future<Map<String, AgentRunRows.Standing>> look(Tx tx, Map<String, Long> fences) {
        return tx.query(LOOK, (Object) Values.texts(List.copyOf(fences.keySet())))
                .map(rows -> STANDINGS.all(rows).stream()
                        .collect(Collectors.toMap(
                                StandingRow::id, row -> row.standing(fences.getOrDefault(row.id(), -1L)))));
    }

    Future<Boolean> cancel(Tx tx, String projectId, String id) {
        return tx.query(
                        "update agent_run set cancelled = true where id = $1 and project_id = $2 returning id",
                        id,
                        projectId)
                .map(rows -> rows.size() > 0);
    }

    Future<Optional<AgentRun>> find(Tx tx, String id) {
        return tx.query(SELECT + "where r.id = $1", id).map(RUNS::first);
    }

    Future<Page<AgentRun>> page(Tx tx, AgentRunRows.Find ask) {
        return tx.page(
                SELECT + "where r.project_id = $1 and r.agent_id = $2",
                Paging.newestFirst().on("r.created", "r.id"),
                ask.page(),
                RUNS,
                run -> new PageKey(run.created(), run.id()),
                ask.projectId(),
                ask.agentId());
    }

    private static String place(String id) {
        return "agent_run:" + id;
    }

    private AgentRun.ClaimedRun takenOf(TakenRow taken, AgentRun.Records records) {
        var run = taken.row().run();
        return new AgentRun.ClaimedRun(run, workOf(taken, run.id()), taken.fence(), taken.crashes(), records);
    }

    /** Input of a run. One that cannot be read ends its own run, and does not keep others from being claimed. */
    private AgentWork workOf(TakenRow taken, String id) {
        try {
            var work = box.open(taken.sealedWork().getBytes(), place(id));
            return AgentWork.of((ObjectNode) Json.trusted(new String(work, StandardCharsets.UTF_8)));
        } catch (UnreadableSecretException unreadable) {
            LOG.error(
                    "the input of agent run {} cannot be read: {}; the run ends. Expected the encryption key with which it was"
                            + " written (AP_ENCRYPTION_KEY)",
                    id,
                    unreadable.getMessage());
            return AgentWork.UNREADABLE;
        }
    }
}
