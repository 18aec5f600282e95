package io.millrace.integration.release;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import java.util.Optional;

/**
 * Messages about the definition of a project as files, handled by {@link DefinitionService}. The caller must have authorized
 * access to the project.
 */
public sealed interface Definitions {
    record Read(String projectId) implements Definitions, BusRequest<ObjectNode> {}

    /** Plans the changes by a definition, by item and step; writes nothing. */
    record Plan(Principal by, String projectId, ProjectDefinition wanted)
            implements Definitions, BusRequest<ObjectNode> {}

    /**
     * Applies a definition to a project, atomically. Fails with VALIDATION when it would delete data without
     * {@code allowsDeletion}, or when the project has changed since the plan.
     *
     * @param revision revision of the project at the time of the plan; empty to skip the check
     */
    record Apply(
            Principal by, String projectId, ProjectDefinition wanted, Optional<String> revision, boolean allowsDeletion)
            implements Definitions, BusRequest<ReplaceOutcome> {}

    /** Flows of a release that are not live: pending, or failed with a reason. */
    record FindUnpublished(String projectId) implements Definitions, BusRequest<ObjectNode> {}

    /** Changes of the project since a definition was last applied; fails with ENTITY_NOT_FOUND when none was. */
    record Drift(String projectId) implements Definitions, BusRequest<ObjectNode> {}
}
