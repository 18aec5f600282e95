package io.millrace.workspace.connection;

import io.millrace.base.core.input.Fields;
import io.millrace.workspace.connection.credential.ConnectionStatus;
import java.util.List;
import java.util.Optional;

/**
 * Filter of a list of connections (contract admin-api 7.3, 7.8).
 *
 * @param displayName part of the name, without regard to case
 * @param statuses empty for all
 * @param projectIds empty for all
 * @param ownerIds empty for all
 */
public record ConnectionFilter(
        Optional<ConnectionScope> scope,
        Optional<String> pieceName,
        Optional<String> displayName,
        List<ConnectionStatus> statuses,
        List<String> projectIds,
        List<String> ownerIds) {
    public ConnectionFilter {
        statuses = List.copyOf(statuses);
        projectIds = List.copyOf(projectIds);
        ownerIds = List.copyOf(ownerIds);
    }

    static ConnectionFilter read(Fields query) {
        return read(query, List.of(), List.of());
    }

    static ConnectionFilter readForPlatform(Fields query) {
        return read(query, query.texts("projectIds"), query.texts("ownerIds"));
    }

    private static ConnectionFilter read(Fields query, List<String> projectIds, List<String> ownerIds) {
        return new ConnectionFilter(
                query.optionalOption("scope", ConnectionScope.class),
                query.optionalText("pieceName"),
                query.optionalText("displayName"),
                query.options("status", ConnectionStatus.class),
                projectIds,
                ownerIds);
    }

    ConnectionFilter in(String projectId) {
        return new ConnectionFilter(scope, pieceName, displayName, statuses, List.of(projectId), ownerIds);
    }

    ConnectionFilter of(ConnectionScope only) {
        return new ConnectionFilter(Optional.of(only), pieceName, displayName, statuses, projectIds, ownerIds);
    }
}
