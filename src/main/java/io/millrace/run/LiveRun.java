package io.millrace.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.bus.Notice;
import java.util.List;
import java.util.Map;

/**
 * A live run as the database knows it: what a new owner needs to carry it on.
 *
 * @param fence number that every write of the new owner carries
 * @param payload output of the trigger
 * @param executeTrigger whether the payload has still to go through the trigger
 * @param records results recorded so far, by path
 * @param resume what the run goes on with when it was paused, or null
 */
record LiveRun(
        RunWrite.Birth birth,
        long fence,
        JsonNode payload,
        boolean executeTrigger,
        List<String> tags,
        Map<String, JsonNode> records,
        Resume resume)
        implements Notice {
    /**
     * The completion of the waitpoint that a step waits for.
     *
     * @param path place of the step
     */
    record Resume(String path, String waitpointId, ObjectNode payload) {}

    /** The same run after its trigger has been executed. */
    LiveRun triggered(JsonNode output) {
        return new LiveRun(birth, fence, output, false, tags, records, resume);
    }
}
