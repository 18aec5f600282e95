package io.millrace.workspace.project;

import io.millrace.base.core.input.Fields;
import java.util.List;
import java.util.Optional;

/**
 * Filter of a list of projects (contract admin-api 3.4).
 *
 * @param externalUserId external id of a member
 * @param displayName part of the name, without regard to case
 * @param types empty for all
 */
public record ProjectFilter(
        Optional<String> externalId,
        Optional<String> externalUserId,
        Optional<String> displayName,
        List<ProjectType> types) {
    public ProjectFilter {
        types = List.copyOf(types);
    }

    static ProjectFilter read(Fields query) {
        return new ProjectFilter(
                query.optionalText("externalId"),
                query.optionalText("externalUserId"),
                query.optionalText("displayName"),
                query.options("types", ProjectType.class));
    }
}
