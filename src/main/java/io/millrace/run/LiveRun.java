package io.millrace.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bus.Notice;
import java.util.List;
import java.util.Map;

/**
 * A live run as the database knows it: what a new owner needs to carry it on.
 *
 * @param fence number that every write of the new owner carries
 * @param payload output of the trigger
 * @param records results recorded so far, by path
 */
record LiveRun(RunWrite.Birth birth, long fence, JsonNode payload, List<String> tags, Map<String, JsonNode> records)
        implements Notice {}
