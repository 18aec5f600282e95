package io.millrace.project;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.core.Fields;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a new project shall be (contract admin-api 3.2).
 *
 * @param globalConnectionExternalIds connections of the platform that it shall have; unknown ones are ignored
 * @param alertReceiverEmail lower case
 */
public record NewProject(
        String displayName,
        Optional<String> externalId,
        Optional<JsonNode> metadata,
        Optional<Integer> maxConcurrentJobs,
        List<String> globalConnectionExternalIds,
        Optional<String> alertReceiverEmail) {
    static final Pattern DISPLAY_NAME = Pattern.compile("^[^./]+$");

    static final String GLOBAL_CONNECTIONS = "globalConnectionExternalIds";

    /** Reads a body; what is wrong with it is recorded there. A blank external id is none. */
    static NewProject read(Fields body) {
        return new NewProject(
                body.text("displayName", DISPLAY_NAME),
                body.optionalText("externalId").filter(text -> !text.isBlank()),
                body.optionalObject("metadata").map(object -> object),
                body.optionalInteger("maxConcurrentJobs", 1, Integer.MAX_VALUE),
                globalConnections(body),
                body.optionalEmail("alertReceiverEmail"));
    }

    private static List<String> globalConnections(Fields body) {
        return body.has(GLOBAL_CONNECTIONS) ? readGlobalConnections(body) : List.of();
    }

    /** The external ids that a body names. */
    static List<String> readGlobalConnections(Fields body) {
        return body.raw(GLOBAL_CONNECTIONS).isArray() ? body.texts(GLOBAL_CONNECTIONS) : refused(body);
    }

    /** Only what is no array comes here. */
    private static List<String> refused(Fields body) {
        body.array(GLOBAL_CONNECTIONS);
        return List.of();
    }
}
