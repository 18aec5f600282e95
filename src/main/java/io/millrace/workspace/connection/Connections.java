package io.millrace.workspace.connection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.bus.Notice;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import io.millrace.workspace.connection.credential.ConnectionStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Requests about connections, and notices of their changes. Answered by {@link ConnectionService},
 * {@link GlobalConnectionService} and, for runs, by {@link ConnectionVault}.
 */
public sealed interface Connections {
    /** Creates a project's connection, or changes the value of the one with that external id. */
    record Save(Principal by, String projectId, NewConnection request)
            implements Connections, BusRequest<ConnectionView> {}

    /** Connections available in a project, its own and global ones, oldest first. */
    record ListOf(String projectId, ConnectionFilter filter, PageRequest page)
            implements Connections, BusRequest<Page<ConnectionView>> {}

    record Show(String id, String projectId) implements Connections, BusRequest<ConnectionView> {}

    record Update(Principal by, String id, String projectId, String displayName, FieldChange<ObjectNode> metadata)
            implements Connections, BusRequest<ConnectionView> {}

    record Delete(Principal by, String id, String projectId) implements Connections, BusRequest<Nothing> {}

    /** Checks a connection's value again and sets its status. */
    record Revalidate(String id, String projectId) implements Connections, BusRequest<ConnectionView> {}

    /** Replaces one connection by another in the steps of a project (contract admin-api 7.6). */
    record Replace(
            Principal by,
            String projectId,
            String sourceId,
            String targetId,
            boolean deleteSource,
            boolean applyToPublished)
            implements Connections, BusRequest<Nothing> {}

    /** Users who may own connections of a project: {@code {firstName, lastName, email}}. */
    record FindOwners(String projectId) implements Connections, BusRequest<List<JsonNode>> {}

    /** A project of a connection, for the access check; empty when no project has it. Fails with 404. */
    record ProjectOf(String id) implements Connections, BusRequest<String> {}

    /** Creates a global connection, or changes the value of the one with that external id. */
    record SaveGlobal(Principal by, List<String> projectIds, NewConnection request)
            implements Connections, BusRequest<ConnectionView> {}

    /** Connections of the principal's platform, oldest first. */
    record ListOnPlatform(Principal by, ConnectionFilter filter, PageRequest page)
            implements Connections, BusRequest<Page<ConnectionView>> {}

    /** Changes a global connection; empty properties stay unchanged. */
    record UpdateGlobal(
            Principal by,
            String id,
            String displayName,
            Optional<List<String>> projectIds,
            FieldChange<ObjectNode> metadata,
            Optional<Boolean> preSelectForNewProjects)
            implements Connections, BusRequest<ConnectionView> {}

    record DeleteGlobal(Principal by, String id) implements Connections, BusRequest<Nothing> {}

    /** Owners of the platform's connections, by e-mail address: {@code {id, firstName, lastName, email}}. */
    record FindPlatformOwners(Principal by) implements Connections, BusRequest<List<JsonNode>> {}

    /** Values for a run of the project, by external id; every requested name has an answer. */
    record Use(String projectId, Set<String> externalIds)
            implements Connections, BusRequest<Map<String, ConnectionUse>> {}

    /** States of connections of the project, by external id, without their values; a name without a connection is missing. */
    record FindStatuses(String projectId, Set<String> externalIds)
            implements Connections, BusRequest<Map<String, ConnectionStatus>> {}

    record Upserted(AppConnection connection) implements Connections, Notice {}

    record Deleted(AppConnection connection) implements Connections, Notice {}

    /** A connection may have changed on any node: caches are stale. */
    record ValuesChanged() implements Connections, Notice {}
}
