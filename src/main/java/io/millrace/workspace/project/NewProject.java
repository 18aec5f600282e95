package io.millrace.workspace.project;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.input.Fields;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Requested properties of a new project (contract admin-api 3.2).
 *
 * @param globalConnectionExternalIds connections of the platform that it gets; unknown ones are ignored
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

    /**
     * A name from outside in the form of {@link #DISPLAY_NAME}: dots, slashes and control characters become spaces. A name that
     * the pattern refuses could not be sent back with a change of the project. Empty when nothing remains.
     */
    static Optional<String> plainName(String text) {
        var plain = text.replaceAll("[./\\p{Cntrl}]+", " ").strip();
        return Optional.of(plain).filter(name -> !name.isEmpty());
    }

    /** Reads a body; violations are recorded in its fields. A blank external id is ignored. */
    static NewProject read(Fields body) {
        var nullable = body.orNull();
        return new NewProject(
                body.name("displayName", DISPLAY_NAME),
                nullable.optionalName("externalId").filter(text -> !text.isBlank()),
                nullable.optionalObject("metadata").map(object -> object),
                nullable.optionalInteger("maxConcurrentJobs", 1, Integer.MAX_VALUE),
                globalConnections(body).orElse(List.of()),
                nullable.optionalEmail("alertReceiverEmail"));
    }

    /** The external ids that a body names; they may be absent, but not null. */
    static Optional<List<String>> globalConnections(Fields body) {
        return body.optionalTexts(GLOBAL_CONNECTIONS);
    }
}
