package io.millrace.integration.release;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Notice;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;

/**
 * Messages and notices about releases, handled by {@link ReleaseService} and {@link ReplaceService}. The caller must have
 * authorized access to the changed project.
 */
public sealed interface Releases {
    /** Releases of a project, newest first. */
    record ListOf(String projectId, PageRequest page) implements Releases, BusRequest<Page<Release>> {}

    /** One release; fails with ENTITY_NOT_FOUND. */
    record Find(String id) implements Releases, BusRequest<Release> {}

    /** Finds the project of a release; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String id) implements Releases, BusRequest<String> {}

    /**
     * Plans the changes by a release; writes nothing. Fails with ENTITY_NOT_FOUND when the source does not exist, with
     * AUTHORIZATION when it belongs to another tenant, and with VALIDATION when it cannot be applied.
     */
    record Plan(Principal by, String projectId, ReleaseSource source) implements Releases, BusRequest<ObjectNode> {}

    /** Applies the source to a project, atomically; fails like {@link Plan}. */
    record Create(Principal by, String projectId, NewRelease request) implements Releases, BusRequest<Release> {}

    /** Replaces a project by a document, atomically. */
    record Replace(Principal by, String projectId, ProjectDocument document, boolean isDryRun)
            implements Releases, BusRequest<ReplaceOutcome> {}

    record Created(Principal by, Release release) implements Releases, Notice {}
}
