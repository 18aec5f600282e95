package io.millrace.engine.run.store;

import io.millrace.base.core.Nullable;
import io.millrace.base.persistence.statement.UnnestColumns;
import io.millrace.base.persistence.statement.UnnestStatement;
import io.millrace.base.persistence.statement.UnnestStatement.Part;
import io.millrace.base.persistence.statement.UnnestStatement.Source;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.log.FailedStep;
import io.millrace.engine.run.machine.EndStatus;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Many writes of runs as the parts of one statement. A batch without live runs, which is the common one, needs a short
 * statement only.
 */
final class RunBatch {
    private record Answer(String runId, Buffer text) {}

    private record EndedRow(RunWrite.RunHeader header, RunWrite.Ending ending, boolean live) {
        String failed(Function<FailedStep, String> part) {
            var failedStep = ending.failedStep();
            return failedStep == null ? null : part.apply(failedStep);
        }
    }

    private record Common(
            String projectId,
            String flowId,
            String flowVersionId,
            RunEnvironment environment,
            boolean failParent,
            @Nullable String triggeredBy,
            @Nullable String flowName,
            EndStatus status) {
        static Common of(EndedRow row) {
            var header = row.header();
            return new Common(
                    header.projectId(),
                    header.flow().flowId(),
                    header.flow().flowVersionId(),
                    header.environment(),
                    header.origin().failParentOnFailure(),
                    header.origin().triggeredBy(),
                    header.flowName(),
                    row.ending().status());
        }
    }

    private record ResultRow(String runId, RunWrite.StepResult result) {}

    private static final UnnestColumns<RunWrite.RunHeader> HEADER = UnnestColumns.<RunWrite.RunHeader>none()
            .text("id", RunWrite.RunHeader::id)
            .instant("created", RunWrite.RunHeader::created)
            .text("project_id", RunWrite.RunHeader::projectId)
            .text("flow_id", each -> each.flow().flowId())
            .text("flow_version_id", each -> each.flow().flowVersionId())
            .text("environment", header -> header.environment().name())
            .instant("start_time", RunWrite.RunHeader::startTime)
            .text("parent_run_id", each -> each.origin().parentRunId())
            .flag("fail_parent", each -> each.origin().failParentOnFailure())
            .text("parent_waitpoint", each -> each.origin().parentWaitpoint())
            .text("triggered_by", each -> each.origin().triggeredBy())
            .text("flow_name", RunWrite.RunHeader::flowName);

    private static final UnnestColumns<EndedRow> ENDED = UnnestColumns.<EndedRow>none()
            .all(HEADER, EndedRow::header)
            .text("status", row -> row.ending().status().name())
            .instant("finish_time", row -> row.ending().finishTime())
            .text("failed_name", row -> row.failed(FailedStep::name))
            .text("failed_display_name", row -> row.failed(FailedStep::displayName))
            .text("failed_message", row -> row.failed(FailedStep::message))
            .text("tags", row -> tagText(row.ending().tags()))
            .integer("steps_count", row -> row.ending().stepsCount())
            .bytes("log", row -> row.ending().log());

    private static final UnnestColumns<Common> COMMON = UnnestColumns.<Common>none()
            .text("project_id", Common::projectId)
            .text("flow_id", Common::flowId)
            .text("flow_version_id", Common::flowVersionId)
            .text("environment", common -> common.environment().name())
            .flag("fail_parent", Common::failParent)
            .text("triggered_by", Common::triggeredBy)
            .text("flow_name", Common::flowName)
            .text("status", common -> common.status().name());

    private static final UnnestColumns<EndedRow> PLAIN = UnnestColumns.<EndedRow>none()
            .text("id", row -> row.header().id())
            .instant("created", row -> row.header().created())
            .instant("start_time", row -> row.header().startTime())
            .instant("finish_time", row -> row.ending().finishTime())
            .integer("steps_count", row -> row.ending().stepsCount())
            .bytes("log", row -> row.ending().log());

    private static final UnnestColumns<RunWrite.End> END =
            UnnestColumns.<RunWrite.End>none().text("id", RunWrite.End::runId).whole("fence", RunWrite.End::fence);

    private static final UnnestColumns<RunWrite.Insert> LIVE = UnnestColumns.<RunWrite.Insert>none()
            .all(HEADER, RunWrite.Insert::header)
            .text("tags", insert -> tagText(insert.tags()))
            .bytes("payload", RunWrite.Insert::payload)
            .text("owner", RunWrite.Insert::owner)
            .text("status", insert -> insert.status().name())
            .text("traceparent", insert -> insert.header().origin().traceparent());

    private static final UnnestColumns<RunWrite.Append> APPEND = UnnestColumns.<RunWrite.Append>none()
            .text("id", RunWrite.Append::runId)
            .whole("fence", RunWrite.Append::fence);

    private static final UnnestColumns<RunWrite.Show> SHOW = UnnestColumns.<RunWrite.Show>none()
            .text("id", RunWrite.Show::runId)
            .whole("fence", RunWrite.Show::fence)
            .text("status", show -> show.status().name())
            .instant("start_time", RunWrite.Show::startTime);

    private static final UnnestColumns<ResultRow> RESULT = UnnestColumns.<ResultRow>none()
            .text("run_id", ResultRow::runId)
            .text("path", row -> row.result().path())
            .bytes("record", row -> row.result().record());

    private static final UnnestColumns<Answer> ANSWER =
            UnnestColumns.<Answer>none().text("run_id", Answer::runId).bytes("answer", Answer::text);

    private static final String INSERT_INTO_ENDED = """
            insert into ended_run (id, created, project_id, flow_id, flow_version_id, environment, start_time,
              parent_run_id, fail_parent, parent_waitpoint, triggered_by, flow_name, status, finish_time, updated,
              failed_step_name, failed_step_display_name, failed_step_message, tags, steps_count, log, fence, archived_at)
            select e.id, e.created, e.project_id, e.flow_id, e.flow_version_id, e.environment, e.start_time,
              e.parent_run_id, e.fail_parent, e.parent_waitpoint, e.triggered_by, e.flow_name, e.status, e.finish_time,
              e.finish_time, e.failed_name, e.failed_display_name, e.failed_message, coalesce(string_to_array(e.tags, E'\\n'), '{}'),
              e.steps_count, e.log,\s""";

    /**
     * Fails as a whole when it is repeated after its answer was lost: looking up each run first, or inserting in a
     * reversible way, would cost every batch extra for a rare case.
     */
    static final UnnestStatement<RunBatch> INSERT_ENDED = UnnestStatement.of(
            Part.of("ended", ENDED, (RunBatch batch) -> batch.ended, INSERT_INTO_ENDED + "0, null\nfrom {e}\n"));

    /** The same for a single run. Each array costs the server a function scan, several times the insertion of the row. */
    static final UnnestStatement<RunBatch> INSERT_ONE_ENDED = UnnestStatement.of(new Part<>(
            "ended",
            List.of(Source.one(ENDED, (RunBatch batch) -> batch.ended.getFirst())),
            INSERT_INTO_ENDED + "0, null\nfrom {e}\n"));

    /** The same for runs that have much in common and nothing rare: six arrays instead of twenty. */
    static final UnnestStatement<RunBatch> INSERT_PLAIN_ENDED = UnnestStatement.of(new Part<>(
            "ended",
            List.of(
                    Source.one(COMMON, (RunBatch batch) -> Common.of(batch.ended.getFirst())),
                    Source.many(PLAIN, batch -> batch.ended)),
            """
            insert into ended_run (id, created, project_id, flow_id, flow_version_id, environment, start_time, fail_parent,
              triggered_by, flow_name, status, finish_time, updated, tags, steps_count, log, fence)
            select e.id, e.created, c.project_id, c.flow_id, c.flow_version_id, c.environment, e.start_time, c.fail_parent,
              c.triggered_by, c.flow_name, c.status, e.finish_time, e.finish_time, '{}', e.steps_count, e.log, 0
            from {c} cross join {e}
            """));

    static final UnnestStatement<RunBatch> INSERT_MISSING_ENDED =
            INSERT_ENDED.and(" on conflict do nothing returning id");

    /**
     * All writes of a batch. Parts that write the same row of a run refer to the parts before them, in the order gone,
     * held, shown. PostgreSQL promises no other order, and a part skips a row that another one has written in the same
     * statement: results of a run that is shown first would be dropped, and so would the end of one.
     */
    private static final List<Part<RunBatch>> WRITES = List.of(
            Part.of("gone", END, batch -> batch.ends, """
                    delete from run r using {w}
                    where r.id = w.id and r.fence = w.fence
                    returning r.id, r.fence, r.archived_at
                    """),
            Part.plain("gone_results", "delete from run_step s using gone where s.run_id = gone.id"),
            Part.plain("gone_waitpoints", "delete from waitpoint w using gone where w.run_id = gone.id"),
            Part.of("ended", ENDED.flag("live", EndedRow::live), batch -> batch.ended, INSERT_INTO_ENDED + """
                    coalesce(g.fence, 0), g.archived_at
                    from {e} left join gone g on g.id = e.id
                    where not e.live or g.id is not null
                    on conflict do nothing
                    returning id
                    """),
            Part.of("live", LIVE, batch -> batch.inserts, """
                    insert into run (id, created, project_id, flow_id, flow_version_id, environment, start_time,
                      parent_run_id, fail_parent, parent_waitpoint, triggered_by, flow_name, tags, payload, owner, updated,
                      status, fence, traceparent)
                    select l.id, l.created, l.project_id, l.flow_id, l.flow_version_id, l.environment, l.start_time,
                      l.parent_run_id, l.fail_parent, l.parent_waitpoint, l.triggered_by, l.flow_name,
                      coalesce(string_to_array(l.tags, E'\\n'), '{}'), l.payload, l.owner, l.created, l.status, 0,
                      l.traceparent
                    from {l}
                    on conflict do nothing
                    returning id
                    """),
            Part.of("held", APPEND, batch -> batch.appends, """
                    select r.id from run r join {w} on r.id = w.id and r.fence = w.fence
                    where w.id not in (select id from gone)
                    for update of r
                    """),
            Part.of("shown", SHOW, batch -> batch.shows, """
                    update run r set status = w.status, start_time = w.start_time, updated = now()
                    from {w}
                    where r.id = w.id and r.fence = w.fence
                      and w.id not in (select id from gone) and (select count(*) from held) >= 0
                    returning r.id
                    """),
            Part.of("results", RESULT, RunBatch::results, """
                    insert into run_step (run_id, path, record)
                    select s.run_id, s.path, s.record
                    from {s}
                    where s.run_id in (select id from live union all select id from held)
                    on conflict (run_id, path) do update set record = excluded.record
                    """));

    private static final Part<RunBatch> ANSWERS = Part.of("answers", ANSWER, batch -> batch.answers, """
            update start_key k set answer = w.answer
            from {w}
            where k.run_id = w.run_id and k.answer is null
              and w.run_id in (select id from held union all select id from ended)
            """);

    private static final String WRITTEN = """
            select id from ended union all select id from live union all select id from held
            union all select id from shown
            """;

    /** Every write of a batch in one statement, so that it is one round trip and one commit. */
    static final UnnestStatement<RunBatch> WRITE_ALL = UnnestStatement.with(WRITES, WRITTEN);

    /** The same with answers, which are rare: they are stored only of runs that were started under a key. */
    static final UnnestStatement<RunBatch> WRITE_ALL_AND_ANSWERS = UnnestStatement.with(
            Stream.concat(WRITES.stream(), Stream.of(ANSWERS)).toList(), WRITTEN);

    private final List<RunWrite.Insert> inserts = new ArrayList<>();
    private final List<RunWrite.Append> appends = new ArrayList<>();
    private final List<RunWrite.Show> shows = new ArrayList<>();
    private final List<EndedRow> ended = new ArrayList<>();
    private final List<RunWrite.End> ends = new ArrayList<>();
    private final List<Answer> answers = new ArrayList<>();

    private RunBatch() {}

    static RunBatch of(List<RunWrite> writes) {
        var batch = new RunBatch();
        for (var write : writes) {
            switch (write) {
                case RunWrite.Insert insert -> batch.inserts.add(insert);
                case RunWrite.Append append -> {
                    batch.appends.add(append);
                    batch.answered(append.runId(), append.answer());
                }
                case RunWrite.Show show -> batch.shows.add(show);
                case RunWrite.InsertEnded(var header, var ending) ->
                    batch.ended.add(new EndedRow(header, ending, false));
                case RunWrite.End end -> {
                    batch.ends.add(end);
                    batch.answered(end.runId(), end.answer());
                    batch.ended.add(new EndedRow(end.header(), end.ending(), true));
                }
            }
        }
        return batch;
    }

    private void answered(String runId, Buffer answer) {
        if (answer != null) {
            answers.add(new Answer(runId, answer));
        }
    }

    boolean hasAnswers() {
        return !answers.isEmpty();
    }

    UnnestStatement<RunBatch> insertion() {
        if (ended.size() == 1) {
            return INSERT_ONE_ENDED;
        }
        return isPlain() ? INSERT_PLAIN_ENDED : INSERT_ENDED;
    }

    private boolean isPlain() {
        if (ended.isEmpty()) {
            return false;
        }
        var common = Common.of(ended.getFirst());
        return ended.stream()
                .allMatch(row -> row.ending().failedStep() == null
                        && row.ending().tags().isEmpty()
                        && row.header().origin().parentRunId() == null
                        && Common.of(row).equals(common));
    }

    boolean hasOnlyEndedRuns() {
        return inserts.isEmpty() && appends.isEmpty() && shows.isEmpty() && ends.isEmpty();
    }

    Set<String> endedIds() {
        return ended.stream().map(row -> row.header().id()).collect(Collectors.toCollection(HashSet::new));
    }

    private List<ResultRow> results() {
        var results = new ArrayList<ResultRow>();
        inserts.forEach(insert -> insert.results()
                .forEach(result -> results.add(new ResultRow(insert.header().id(), result))));
        appends.forEach(append ->
                append.results().forEach(result -> results.add(new ResultRow(append.runId(), result))));
        return results;
    }

    /** Tags as one text, because an array of arrays must be rectangular; tags hold no line feed. */
    private static String tagText(List<String> tags) {
        return tags.isEmpty() ? null : String.join("\n", tags);
    }
}
