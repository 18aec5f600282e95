package io.millrace.engine.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.engine.run.log.JsonSize;
import java.util.List;
import java.util.Map;

/**
 * A live run as stored in the database: the input of a take-over. Also a run that begins and may not have a row yet.
 *
 * @param status status in its row; null without a row
 * @param fence number that every write of the new owner carries
 * @param payload output of the trigger
 */
public record RunSnapshot(
        RunWrite.RunHeader header,
        RunStatus status,
        long fence,
        JsonNode payload,
        StartFlags flags,
        List<String> tags,
        RecordedState recorded) {
    /**
     * Flags of the start of the run.
     *
     * @param executeTrigger whether the trigger must still process the payload
     * @param unprepared whether the trigger must still prepare the run
     * @param keyed whether it was started under a key, so that its answer is kept
     */
    public record StartFlags(boolean executeTrigger, boolean unprepared, boolean keyed) {}

    /**
     * Recorded state that the run continues from.
     *
     * @param records results recorded so far, by path
     * @param resume completion with which a paused run resumes, or null
     * @param replay instructions of a run that replays an earlier one, or null
     */
    public record RecordedState(Map<String, JsonNode> records, Resume resume, RunReplay replay) {}

    /** A run that begins without a row. */
    public static RunSnapshot fresh(RunWrite.RunHeader header, JsonNode payload) {
        return new RunSnapshot(
                header,
                null,
                0,
                payload,
                new StartFlags(false, false, false),
                List.of(),
                new RecordedState(Map.of(), null, null));
    }

    /** New run, stored together with its start key. */
    public static RunSnapshot claimed(RunWrite.RunHeader header, JsonNode payload) {
        return new RunSnapshot(
                header,
                RunStatus.RUNNING,
                0,
                payload,
                new StartFlags(false, false, true),
                List.of(),
                new RecordedState(Map.of(), null, null));
    }

    public RunSnapshot with(JsonNode itsPayload, Map<String, JsonNode> itsRecords, Resume itsResume) {
        return new RunSnapshot(
                header,
                status,
                fence,
                itsPayload,
                flags,
                tags,
                new RecordedState(itsRecords, itsResume, recorded.replay()));
    }

    /** Approximate size of its values as text in bytes. */
    public long textBytes() {
        var bytes = JsonSize.of(payload)
                + (recorded.resume() == null ? 0 : JsonSize.of(recorded.resume().payload()));
        for (var record : recorded.records().values()) {
            bytes += JsonSize.of(record);
        }
        return bytes;
    }

    /**
     * The completion of the waitpoint that a step waits for.
     *
     * @param path place of the step
     * @param expired whether the wait timed out without a completion: then the step fails
     */
    public record Resume(String path, String waitpointId, ObjectNode payload, boolean expired) {}

    /** The same run after its trigger has been executed, and before it prepares the run. */
    public RunSnapshot triggered(JsonNode output) {
        return new RunSnapshot(
                header, status, fence, output, new StartFlags(false, true, flags.keyed()), tags, recorded);
    }
}
