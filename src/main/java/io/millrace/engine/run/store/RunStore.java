package io.millrace.engine.run.store;

import io.millrace.base.persistence.Rows;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.Values;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.log.FailedStep;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Statements of executing runs: the writes of their actors. {@link LiveRunStore} reads their values,
 * {@link RunOwnerStore} changes their owners, and {@link RunQueryStore} finds them.
 */
public final class RunStore {
    private static final String ENDED_COLUMNS = """
            ended_run (id, created, project_id, flow_id, flow_version_id, environment, start_time, parent_run_id,
              fail_parent, triggered_by, flow_name, status, finish_time, updated, failed_step_name, failed_step_display_name,
              failed_step_message, tags, steps_count, log, fence, archived_at)
            """;

    /**
     * Fails as a whole when it is repeated after its answer was lost: looking up each run first, or inserting in a
     * reversible way, would cost every batch extra for a rare case.
     */
    private static final String INSERT_ENDED = "insert into " + ENDED_COLUMNS + """
            select e.id, e.created, e.project_id, e.flow_id, e.flow_version_id, e.environment, e.start_time,
              e.parent_run_id, e.fail_parent, e.triggered_by, e.flow_name, e.status, e.finish_time, e.finish_time, e.failed_name,
              e.failed_display_name, e.failed_message, coalesce(string_to_array(e.tags, E'\\n'), '{}'), e.steps_count,
              e.log, 0, null
            from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[],
              $7::timestamptz[], $8::text[], $9::boolean[], $10::text[], $11::text[], $12::text[], $13::timestamptz[], $14::text[],
              $15::text[], $16::text[], $17::text[], $18::integer[], $19::bytea[])
              as e (id, created, project_id, flow_id, flow_version_id, environment, start_time, parent_run_id,
                fail_parent, triggered_by, flow_name, status, finish_time, failed_name, failed_display_name, failed_message, tags,
                steps_count, log)
            """;

    private static final String INSERT_MISSING_ENDED = INSERT_ENDED + " on conflict do nothing returning id";

    private static final String UNIQUE_VIOLATION = "23505";

    /**
     * All writes of a batch, as parts of one statement. Parts that write the same row of a run refer to the parts
     * before them, in the order gone, held, shown. PostgreSQL promises no other order, and a part skips a row that
     * another one has written in the same statement: results of a run that is shown first would be dropped, and so
     * would the end of one.
     */
    private static final String WRITES = """
            with gone as (
              delete from run r using unnest($21::text[], $22::bigint[]) as w (id, fence)
              where r.id = w.id and r.fence = w.fence
              returning r.id, r.fence, r.archived_at
            ), gone_results as (
              delete from run_step s using gone where s.run_id = gone.id
            ), gone_waitpoints as (
              delete from waitpoint w using gone where w.run_id = gone.id
            ), ended as (
              insert into\s""" + ENDED_COLUMNS + """
              select e.id, e.created, e.project_id, e.flow_id, e.flow_version_id, e.environment, e.start_time,
                e.parent_run_id, e.fail_parent, e.triggered_by, e.flow_name, e.status, e.finish_time, e.finish_time, e.failed_name,
                e.failed_display_name, e.failed_message, coalesce(string_to_array(e.tags, E'\\n'), '{}'),
                e.steps_count, e.log, coalesce(g.fence, 0), g.archived_at
              from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[],
                $7::timestamptz[], $8::text[], $9::boolean[], $10::text[], $11::text[], $12::text[], $13::timestamptz[],
                $14::text[], $15::text[], $16::text[], $17::text[], $18::integer[], $19::bytea[], $20::boolean[])
                as e (id, created, project_id, flow_id, flow_version_id, environment, start_time, parent_run_id,
                  fail_parent, triggered_by, flow_name, status, finish_time, failed_name, failed_display_name, failed_message,
                  tags, steps_count, log, live)
                left join gone g on g.id = e.id
              where not e.live or g.id is not null
              on conflict do nothing
              returning id
            ), live as (
              insert into run (id, created, project_id, flow_id, flow_version_id, environment, start_time,
                parent_run_id, fail_parent, triggered_by, flow_name, tags, payload, owner, updated, status, fence, traceparent)
              select l.id, l.created, l.project_id, l.flow_id, l.flow_version_id, l.environment, l.start_time,
                l.parent_run_id, l.fail_parent, l.triggered_by, l.flow_name, coalesce(string_to_array(l.tags, E'\\n'), '{}'),
                l.payload, l.owner, l.created, l.status, 0, l.traceparent
              from unnest($23::text[], $24::timestamptz[], $25::text[], $26::text[], $27::text[], $28::text[],
                $29::timestamptz[], $30::text[], $31::boolean[], $32::text[], $33::text[], $34::text[], $35::bytea[], $36::text[],
                $42::text[], $47::text[])
                as l (id, created, project_id, flow_id, flow_version_id, environment, start_time, parent_run_id,
                  fail_parent, triggered_by, flow_name, tags, payload, owner, status, traceparent)
              on conflict do nothing
              returning id
            ), held as (
              select r.id from run r join unnest($37::text[], $38::bigint[]) as w (id, fence)
                on r.id = w.id and r.fence = w.fence
              where w.id not in (select id from gone)
              for update of r
            ), shown as (
              update run r set status = w.status, start_time = w.start_time, updated = now()
              from unnest($43::text[], $44::bigint[], $45::text[], $46::timestamptz[])
                as w (id, fence, status, start_time)
              where r.id = w.id and r.fence = w.fence
                and w.id not in (select id from gone) and (select count(*) from held) >= 0
              returning r.id
            ), results as (
              insert into run_step (run_id, path, record)
              select s.run_id, s.path, s.record
              from unnest($39::text[], $40::text[], $41::bytea[]) as s (run_id, path, record)
              where s.run_id in (select id from live union all select id from held)
              on conflict (run_id, path) do update set record = excluded.record
            )
            """;

    private static final String WRITTEN = """
            select id from ended union all select id from live union all select id from held
            union all select id from shown
            """;

    /** Every write of a batch in one statement, so that it is one round trip and one commit. */
    private static final String WRITE_ALL = WRITES + WRITTEN;

    /** The same with answers, which are rare: they are stored only of runs that were started under a key. */
    private static final String WRITE_ALL_AND_ANSWERS = WRITES + """
            , answers as (
              update start_key k set answer = w.answer
              from unnest($48::text[], $49::bytea[]) as w (run_id, answer)
              where k.run_id = w.run_id and k.answer is null
                and w.run_id in (select id from held union all select id from ended)
            )
            """ + WRITTEN;

    /** Writes many runs, outside of any transaction; returns the ids of the runs whose write took effect. */
    public Future<Set<String>> write(Tx tx, List<RunWrite> writes) {
        var batch = Batch.of(writes);
        return batch.hasOnlyEndedRuns()
                ? insertEnded(tx, batch)
                : tx.query(batch.hasAnswers() ? WRITE_ALL_AND_ANSWERS : WRITE_ALL, batch.allColumns())
                        .map(RunStore::ids);
    }

    private static Future<Set<String>> insertEnded(Tx tx, Batch batch) {
        return tx.query(INSERT_ENDED, batch.endedColumns(false))
                .map(_ -> batch.endedIds())
                .recover(failure -> isUniqueViolation(failure)
                        ? tx.query(INSERT_MISSING_ENDED, batch.endedColumns(false))
                                .map(RunStore::ids)
                        : Future.failedFuture(failure));
    }

    private static boolean isUniqueViolation(Throwable failure) {
        return failure instanceof PgException refused && UNIQUE_VIOLATION.equals(refused.getSqlState());
    }

    private static Set<String> ids(RowSet<Row> rows) {
        var ids = new HashSet<String>(rows.size() * 2);
        rows.forEach(row -> ids.add(row.getString(0)));
        return ids;
    }

    /**
     * Many writes as the columns of one statement. A batch without live runs, which is the common one, needs the short
     * statement only.
     */
    private static final class Batch {
        private final List<RunWrite.Insert> inserts = new ArrayList<>();
        private final List<RunWrite.Append> appends = new ArrayList<>();
        private final List<RunWrite.Show> shows = new ArrayList<>();
        private final List<EndedRow> ended = new ArrayList<>();
        private final List<RunWrite.End> ends = new ArrayList<>();
        private final List<Answer> answers = new ArrayList<>();

        /** Answer of a run that was started under a key. */
        private record Answer(String runId, Buffer text) {}

        /** An ended run, and whether it was live in the database before. */
        private record EndedRow(RunWrite.RunHeader header, RunWrite.Ending ending, boolean live) {}

        static Batch of(List<RunWrite> writes) {
            var batch = new Batch();
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

        boolean hasOnlyEndedRuns() {
            return inserts.isEmpty() && appends.isEmpty() && shows.isEmpty() && ends.isEmpty();
        }

        Set<String> endedIds() {
            return ended.stream().map(row -> row.header().id()).collect(Collectors.toCollection(HashSet::new));
        }

        /** Columns of the ended runs, in the order of the statement's parameters. */
        Tuple endedColumns(boolean withLive) {
            var tuple = Tuple.tuple();
            headers(tuple, ended.stream().map(EndedRow::header).toList());
            tuple.addArrayOfString(
                    Values.texts(ended, row -> row.ending().status().name()));
            tuple.addArrayOfOffsetDateTime(
                    Values.instants(ended, row -> row.ending().finishTime()));
            tuple.addArrayOfString(Values.texts(ended, row -> failed(row, FailedStep::name)));
            tuple.addArrayOfString(Values.texts(ended, row -> failed(row, FailedStep::displayName)));
            tuple.addArrayOfString(Values.texts(ended, row -> failed(row, FailedStep::message)));
            tuple.addArrayOfString(
                    Values.texts(ended, row -> tagText(row.ending().tags())));
            tuple.addArrayOfInteger(Values.integers(ended, row -> row.ending().stepsCount()));
            tuple.addValue(Values.buffers(ended, row -> row.ending().log()));
            if (withLive) {
                tuple.addArrayOfBoolean(Values.flags(ended, EndedRow::live));
            }
            return tuple;
        }

        /**
         * Columns of everything: ended runs, inserted runs, results, live rows to be held, shown or deleted, and
         * answers if there are any.
         */
        Tuple allColumns() {
            var tuple = endedColumns(true);
            tuple.addArrayOfString(Values.texts(ends, end -> end.header().id()));
            tuple.addArrayOfLong(Values.wholes(ends, RunWrite.End::fence));
            headers(tuple, inserts.stream().map(RunWrite.Insert::header).toList());
            tuple.addArrayOfString(Values.texts(inserts, insert -> tagText(insert.tags())));
            tuple.addValue(Values.buffers(inserts, RunWrite.Insert::payload));
            tuple.addArrayOfString(Values.texts(inserts, RunWrite.Insert::owner));
            tuple.addArrayOfString(Values.texts(appends, RunWrite.Append::runId));
            tuple.addArrayOfLong(Values.wholes(appends, RunWrite.Append::fence));
            var results = new ArrayList<ResultRow>();
            inserts.forEach(insert -> insert.results()
                    .forEach(result -> results.add(new ResultRow(insert.header().id(), result))));
            appends.forEach(append ->
                    append.results().forEach(result -> results.add(new ResultRow(append.runId(), result))));
            tuple.addArrayOfString(Values.texts(results, ResultRow::runId));
            tuple.addArrayOfString(Values.texts(results, row -> row.result().path()));
            tuple.addValue(Values.buffers(results, row -> row.result().record()));
            tuple.addArrayOfString(
                    Values.texts(inserts, insert -> insert.status().name()));
            tuple.addArrayOfString(Values.texts(shows, RunWrite.Show::runId));
            tuple.addArrayOfLong(Values.wholes(shows, RunWrite.Show::fence));
            tuple.addArrayOfString(Values.texts(shows, show -> show.status().name()));
            tuple.addArrayOfOffsetDateTime(Values.instants(shows, RunWrite.Show::startTime));
            tuple.addArrayOfString(
                    Values.texts(inserts, insert -> insert.header().traceparent()));
            if (hasAnswers()) {
                tuple.addArrayOfString(Values.texts(answers, Answer::runId));
                tuple.addValue(Values.buffers(answers, Answer::text));
            }
            return tuple;
        }

        private record ResultRow(String runId, RunWrite.StepResult result) {}

        private static void headers(Tuple tuple, List<RunWrite.RunHeader> headers) {
            tuple.addArrayOfString(Values.texts(headers, RunWrite.RunHeader::id));
            tuple.addArrayOfOffsetDateTime(Values.instants(headers, RunWrite.RunHeader::created));
            tuple.addArrayOfString(Values.texts(headers, RunWrite.RunHeader::projectId));
            tuple.addArrayOfString(Values.texts(headers, RunWrite.RunHeader::flowId));
            tuple.addArrayOfString(Values.texts(headers, RunWrite.RunHeader::flowVersionId));
            tuple.addArrayOfString(
                    Values.texts(headers, header -> header.environment().name()));
            tuple.addArrayOfOffsetDateTime(Values.instants(headers, RunWrite.RunHeader::startTime));
            tuple.addArrayOfString(Values.texts(headers, RunWrite.RunHeader::parentRunId));
            tuple.addArrayOfBoolean(Values.flags(headers, RunWrite.RunHeader::failParentOnFailure));
            tuple.addArrayOfString(Values.texts(headers, RunWrite.RunHeader::triggeredBy));
            tuple.addArrayOfString(Values.texts(headers, RunWrite.RunHeader::flowName));
        }

        private static String failed(EndedRow row, Function<FailedStep, String> part) {
            var failedStep = row.ending().failedStep();
            return failedStep == null ? null : part.apply(failedStep);
        }

        /** Tags as one text, because an array of arrays must be rectangular; tags hold no line feed. */
        private static String tagText(List<String> tags) {
            return tags.isEmpty() ? null : String.join("\n", tags);
        }
    }

    /**
     * Ids of the runs whose rows are as this node wrote them: a batch may be repeated after its answer was lost. Rows
     * written by another owner since do not count.
     */
    Future<Set<String>> alreadyWritten(Tx tx, List<RunWrite> writes, String nodeId) {
        return tx.query(
                        """
                        select w.id from unnest($1::text[], $2::bigint[], $3::boolean[]) as w (id, fence, ends)
                        where w.ends and exists (select from ended_run e where e.id = w.id and e.fence = w.fence)
                          or not w.ends and exists (
                            select from run r where r.id = w.id and r.fence = w.fence and r.owner = $4)
                        """,
                        Values.texts(writes, RunWrite::runId),
                        Values.wholes(writes, RunWrite::fence),
                        Values.flags(writes, write -> !(write instanceof RunWrite.Insert)),
                        nodeId)
                .map(rows -> new HashSet<>(Rows.all(rows, row -> Rows.text(row, "id"))));
    }

    /** Reads the immutable facts of a run. */
    public static RunWrite.RunHeader header(Row row) {
        return new RunWrite.RunHeader(
                Rows.text(row, "id"),
                Rows.instant(row, "created"),
                Rows.text(row, "project_id"),
                Rows.text(row, "flow_id"),
                Rows.text(row, "flow_version_id"),
                Rows.option(row, "environment", RunEnvironment.class),
                Rows.optionalInstant(row, "start_time").orElse(null),
                Rows.optionalText(row, "parent_run_id").orElse(null),
                Rows.flag(row, "fail_parent"),
                Rows.optionalText(row, "triggered_by").orElse(null),
                Rows.optionalText(row, "flow_name").orElse(null),
                Rows.optionalText(row, "traceparent").orElse(null));
    }
}
