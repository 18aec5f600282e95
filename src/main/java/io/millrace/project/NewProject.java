package io.millrace.project;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.core.Fields;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a new project shall be (contract admin-api 3.2).
 *
 * @param alertReceiverEmail lower case
 */
public record NewProject(
        String displayName,
        Optional<String> externalId,
        Optional<JsonNode> metadata,
        Optional<Integer> maxConcurrentJobs,
        Optional<String> alertReceiverEmail) {
    static final Pattern DISPLAY_NAME = Pattern.compile("^[^./]+$");

    static final String GLOBAL_CONNECTIONS = "globalConnectionExternalIds";

    /** Reads a body; what is wrong with it is recorded there. A blank external id is none. */
    static NewProject read(Fields body) {
        checkGlobalConnections(body);
        return new NewProject(
                body.text("displayName", DISPLAY_NAME),
                body.optionalText("externalId").filter(text -> !text.isBlank()),
                body.optionalObject("metadata").map(object -> object),
                body.optionalInteger("maxConcurrentJobs", 1, Integer.MAX_VALUE),
                body.optionalEmail("alertReceiverEmail"));
    }

    /** No global connection can exist yet, so every id is unknown, and unknown ids are ignored. */
    static void checkGlobalConnections(Fields body) {
        if (body.has(GLOBAL_CONNECTIONS)) {
            var index = 0;
            for (var id : body.array(GLOBAL_CONNECTIONS)) {
                if (!id.isTextual()) {
                    body.refuse(GLOBAL_CONNECTIONS + "/" + index, "Invalid input: expected string");
                }
                index++;
            }
        }
    }
}
