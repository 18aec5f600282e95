package io.millrace.engine.run.store;

import io.millrace.base.persistence.Values;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.log.FailedStep;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Many writes as the columns of one statement. A batch without live runs, which is the common one, needs the short
 * statement only.
 */
public final class RunBatch {
    private final List<RunWrite.Insert> inserts = new ArrayList<>();
    private final List<RunWrite.Append> appends = new ArrayList<>();
    private final List<RunWrite.Show> shows = new ArrayList<>();
    private final List<EndedRow> ended = new ArrayList<>();
    private final List<RunWrite.End> ends = new ArrayList<>();
    private final List<Answer> answers = new ArrayList<>();

    /** What a run that was started under a key has answered. */
    private record Answer(String runId, Buffer text) {}

    /** An ended run, and whether it was live in the database before. */
    private record EndedRow(RunWrite.RunHeader header, RunWrite.Ending ending, boolean live) {}

    public static RunBatch of(List<RunWrite> writes) {
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
        tuple.addArrayOfString(Values.texts(ended, row -> row.ending().status().name()));
        tuple.addArrayOfOffsetDateTime(
                Values.instants(ended, row -> row.ending().finishTime()));
        tuple.addArrayOfString(Values.texts(ended, row -> failed(row, FailedStep::name)));
        tuple.addArrayOfString(Values.texts(ended, row -> failed(row, FailedStep::displayName)));
        tuple.addArrayOfString(Values.texts(ended, row -> failed(row, FailedStep::message)));
        tuple.addArrayOfString(Values.texts(ended, row -> tagText(row.ending().tags())));
        tuple.addArrayOfInteger(Values.integers(ended, row -> row.ending().stepsCount()));
        tuple.addValue(buffers(ended, row -> row.ending().log()));
        if (withLive) {
            tuple.addArrayOfBoolean(Values.flags(ended, EndedRow::live));
        }
        return tuple;
    }

    /**
     * Columns of everything: ended runs, inserted runs, results, which live rows are held, shown or gone, and answers
     * if there are any.
     */
    Tuple allColumns() {
        var tuple = endedColumns(true);
        tuple.addArrayOfString(Values.texts(ends, end -> end.header().id()));
        tuple.addArrayOfLong(Values.wholes(ends, RunWrite.End::fence));
        headers(tuple, inserts.stream().map(RunWrite.Insert::header).toList());
        tuple.addArrayOfString(Values.texts(inserts, insert -> tagText(insert.tags())));
        tuple.addValue(buffers(inserts, RunWrite.Insert::payload));
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
        tuple.addValue(buffers(results, row -> row.result().record()));
        tuple.addArrayOfString(Values.texts(inserts, insert -> insert.status().name()));
        tuple.addArrayOfString(Values.texts(shows, RunWrite.Show::runId));
        tuple.addArrayOfLong(Values.wholes(shows, RunWrite.Show::fence));
        tuple.addArrayOfString(Values.texts(shows, show -> show.status().name()));
        tuple.addArrayOfOffsetDateTime(Values.instants(shows, RunWrite.Show::startTime));
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

    private static <T> Buffer[] buffers(List<T> rows, Function<T, Buffer> column) {
        var values = new Buffer[rows.size()];
        for (var i = 0; i < values.length; i++) {
            values[i] = column.apply(rows.get(i));
        }
        return values;
    }
}
