package io.millrace.authoring.flow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.editor.FlowOperation;
import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.authoring.flow.editor.OperationType;
import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.authoring.flow.version.VersionSummary;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.bus.Notice;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import io.millrace.piece.catalogue.PieceScope;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Requests about flows, and notices of their changes. Handled by {@link FlowService}. */
public sealed interface Flows {
    /**
     * A flow with one of its versions (contract flows-and-engine 2.1).
     *
     * @param schedule of its trigger source, or null
     */
    record FlowWithVersion(Flow flow, FlowVersion version, JsonNode schedule) {
        FlowWithVersion(Flow flow, FlowVersion version) {
            this(flow, version, null);
        }

        FlowWithVersion scheduled(JsonNode otherSchedule) {
            return new FlowWithVersion(flow, version, otherSchedule);
        }

        public ObjectNode toJson() {
            return flow.toJson(version, schedule);
        }
    }

    /**
     * Creates a flow with an empty draft. Fails with ENTITY_NOT_FOUND when there is no such folder.
     *
     * @param metadata free-form, or null
     * @param templateId source template, or null
     * @param folderId folder to put it into; wins over the name
     * @param folderName folder to find by its name, or to create
     * @param createdBy machine that creates it, or null
     */
    record Create(
            Principal by,
            String projectId,
            String displayName,
            ObjectNode metadata,
            String templateId,
            Optional<String> folderId,
            Optional<String> folderName,
            Flow.Creator createdBy)
            implements Flows, BusRequest<FlowWithVersion> {
        public Create(Principal by, String projectId, String displayName, ObjectNode metadata, String templateId) {
            this(by, projectId, displayName, metadata, templateId, Optional.empty(), Optional.empty(), null);
        }
    }

    /**
     * Creates a flow whose draft has this content, in one transaction: refused content leaves no flow.
     *
     * @param request content as requested, for audit records
     */
    record Build(Create create, FlowOperation.ImportFlow content, JsonNode request)
            implements Flows, BusRequest<FlowWithVersion> {
        /** Content in the wire form of IMPORT_FLOW; a malformed one fails with INVALID_INPUT. */
        public static Build of(Create create, ObjectNode content) {
            var request = Json.object().put("type", OperationType.IMPORT_FLOW.name());
            request.set("request", content);
            return new Build(create, (FlowOperation.ImportFlow) FlowOperation.parse(request), request);
        }
    }

    record Get(String flowId, Optional<String> versionId) implements Flows, BusRequest<FlowWithVersion> {}

    /** Version shown in a list (contract flows-and-engine 3.2). */
    enum VersionChoice {
        /** The latest version. */
        DRAFT,
        /** The published version; flows never published are left out. */
        LOCKED
    }

    /**
     * Filter for flows of a project. An empty list matches all.
     *
     * @param name substring of the latest version's name, without regard to case
     */
    record Filter(
            String projectId,
            List<FlowStatus> statuses,
            Optional<String> name,
            List<String> externalIds,
            UsedObjects uses,
            List<String> folderIds,
            boolean uncategorisedOnly,
            VersionChoice versionChoice) {
        /** Objects that a flow uses, by external id. */
        public record UsedObjects(List<String> connections, List<String> agents) {}
    }

    /** A page of flows: enabled ones first, then those changed last. */
    record Find(Filter filter, PageRequest page) implements Flows, BusRequest<Page<FlowWithVersion>> {}

    /**
     * Enabled flows of a project whose published version has a given trigger, oldest first. Used by features that offer
     * more for a trigger than events.
     */
    record FindTriggered(String projectId, String pieceName, String triggerName)
            implements Flows, BusRequest<List<FlowWithVersion>> {}

    /** Ids of enabled flows of all projects, those changed last first. */
    record FindEnabled(int limit) implements Flows, BusRequest<List<String>> {}

    record Count(String projectId, Optional<String> folderId, boolean uncategorisedOnly)
            implements Flows, BusRequest<Integer> {}

    /** State of the code steps of a flow's version, in their order; the latest version when none is given. */
    record FindCodeSteps(String flowId, Optional<String> versionId)
            implements Flows, BusRequest<List<CodeStepReport>> {}

    /** The versions of a flow, newest first. */
    record FindVersions(String flowId, PageRequest page) implements Flows, BusRequest<Page<VersionSummary>> {}

    /**
     * Applies an operation (contract flows-and-engine 4). Fails with FLOW_OPERATION_IN_PROGRESS while the flow is being
     * deleted, and with FLOW_VERSION_CHANGED when the precondition does not hold.
     *
     * @param request operation as requested, for audit records
     */
    record Apply(Principal by, String flowId, FlowOperation operation, JsonNode request, FlowPrecondition precondition)
            implements Flows, BusRequest<FlowWithVersion> {
        public Apply(Principal by, String flowId, FlowOperation operation, JsonNode request) {
            this(by, flowId, operation, request, FlowPrecondition.NONE);
        }

        /** An operation in its wire form; a malformed one fails with INVALID_INPUT. */
        public Apply(Principal by, String flowId, JsonNode request) {
            this(by, flowId, FlowOperation.parse(request), request);
        }
    }

    /** Content for a template of a flow (contract flows-and-engine 3.4). */
    record Export(Principal by, String flowId) implements Flows, BusRequest<ObjectNode> {}

    /**
     * Deletes a flow: it becomes invisible at once, and its rows are removed later. Fails with
     * FLOW_OPERATION_IN_PROGRESS when it is being deleted already.
     */
    record Delete(Principal by, String flowId) implements Flows, BusRequest<Nothing> {}

    /** Disables a flow that can no longer fire, even if its hooks fail (contract flows-and-engine 16.6). */
    record GiveUp(String flowId) implements Flows, BusRequest<Nothing> {}

    /** The project of a flow; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String flowId) implements Flows, BusRequest<String> {}

    /** Scope for lookups of a flow's pieces; fails with ENTITY_NOT_FOUND. */
    record PieceScopeOf(String flowId) implements Flows, BusRequest<PieceScope> {}

    /** Checks whether the latest version of a flow could be published, and lists the problems. */
    record Judge(String flowId) implements Flows, BusRequest<Verdict> {}

    /**
     * Result of a check of a flow.
     *
     * @param problems problems that prevent publishing
     * @param warnings problems that do not prevent publishing
     */
    record Verdict(FlowWithVersion flow, List<StepProblem> problems, List<StepProblem> warnings) {
        public Verdict {
            problems = List.copyOf(problems);
            warnings = List.copyOf(warnings);
        }
    }

    /** One version by its id; fails with ENTITY_NOT_FOUND. */
    record GetVersion(String versionId) implements Flows, BusRequest<FlowVersion> {}

    /** Checks whether a version is the published one of its flow. */
    record IsPublished(String flowId, String versionId) implements Flows, BusRequest<Boolean> {}

    /** The latest locked version of a flow; fails with ENTITY_NOT_FOUND. */
    record LatestLocked(String flowId) implements Flows, BusRequest<VersionRef> {}

    /** Data of a flow for an incoming event; fails with ENTITY_NOT_FOUND. */
    record FindTarget(String flowId) implements Flows, BusRequest<Target> {}

    record VersionRef(String id, Instant updated) {}

    /**
     * Data of a flow for an incoming event.
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

    /**
     * The server has started; subscribers may fill their caches of enabled flows (setting AP_PREWARM_CACHE_ON_STARTUP).
     */
    record Expected() implements Flows, Notice {}

    /** Data of a flow that matters for incoming events has changed. */
    record Changed(String flowId) implements Flows, Notice {}

    /** A flow was created (contract flows-and-engine 30). */
    record Created(Principal by, FlowWithVersion flow) implements Flows, Notice {}

    record Updated(Principal by, FlowWithVersion flow, JsonNode request) implements Flows, Notice {}

    /** A version was published; {@link Activated} announces whether it is also enabled. */
    record Published(Principal by, FlowWithVersion flow) implements Flows, Notice {}

    /** The flow was enabled: events start runs from now on. */
    record Activated(Principal by, FlowWithVersion flow) implements Flows, Notice {}

    record Deactivated(Principal by, FlowWithVersion flow) implements Flows, Notice {}

    record Deleted(Principal by, FlowWithVersion flow) implements Flows, Notice {}
}
