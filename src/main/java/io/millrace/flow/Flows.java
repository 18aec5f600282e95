package io.millrace.flow;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.access.Principal;
import io.millrace.bus.Nothing;
import io.millrace.bus.Notice;
import io.millrace.bus.Request;
import io.millrace.core.Page;
import io.millrace.core.PageRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What one may ask of flows, and what flows announce. Answered by {@link FlowService}. */
public sealed interface Flows {
    /** A flow with one of its versions (contract flows-and-engine 2.1). */
    record Populated(Flow flow, FlowVersion version) {
        ObjectNode toJson() {
            return flow.toJson(version, null);
        }
    }

    /**
     * Creates a flow with an empty draft.
     *
     * @param metadata free-form, or null
     * @param templateId template that it comes from, or null
     */
    record Create(Principal by, String projectId, String displayName, ObjectNode metadata, String templateId)
            implements Flows, Request<Populated> {}

    /** One flow, with its latest version or the one asked for. */
    record Get(String flowId, Optional<String> versionId) implements Flows, Request<Populated> {}

    /** Which version a list shows (contract flows-and-engine 3.2). */
    enum VersionChoice {
        /** The latest version. */
        DRAFT,
        /** The published version; flows never published are left out. */
        LOCKED
    }

    /**
     * Which flows of a project are wanted. An empty list means "any".
     *
     * @param name substring of the latest version's name, without regard to case
     */
    record Filter(
            String projectId,
            List<FlowStatus> statuses,
            Optional<String> name,
            List<String> externalIds,
            List<String> connectionExternalIds,
            List<String> agentExternalIds,
            List<String> folderIds,
            boolean uncategorisedOnly,
            VersionChoice versionChoice) {}

    /** A page of flows: enabled ones first, then those changed last. */
    record Find(Filter filter, PageRequest page) implements Flows, Request<Page<Populated>> {}

    /** How many flows a project has. */
    record Count(String projectId, Optional<String> folderId, boolean uncategorisedOnly)
            implements Flows, Request<Integer> {}

    /** The versions of a flow, newest first. */
    record FindVersions(String flowId, PageRequest page) implements Flows, Request<Page<VersionSummary>> {}

    /** Applies an operation (contract flows-and-engine 4). */
    record Apply(Principal by, String flowId, FlowOperation operation) implements Flows, Request<Populated> {}

    /** Deletes a flow: it vanishes at once, its rows follow. */
    record Delete(String flowId) implements Flows, Request<Nothing> {}

    /** The project of a flow; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String flowId) implements Flows, Request<String> {}

    /** One version by its id; fails with ENTITY_NOT_FOUND. */
    record GetVersion(String versionId) implements Flows, Request<FlowVersion> {}

    /** What an incoming event needs to know of a flow; fails with ENTITY_NOT_FOUND. */
    record FindTarget(String flowId) implements Flows, Request<Target> {}

    /** A version, and when it changed last. */
    record VersionRef(String id, Instant updated) {}

    /**
     * What an incoming event needs to know of a flow.
     *
     * @param sourceName {@code <pieceName>@<major.minor>:<triggerName>} of the latest version's trigger; empty when it
     *     has none
     */
    record Target(
            String projectId,
            String flowId,
            boolean enabled,
            Optional<VersionRef> published,
            VersionRef latest,
            String sourceName) {}

    /** Something about a flow has changed that an incoming event depends on. */
    record Changed(String flowId) implements Flows, Notice {}
}
