package io.millrace.workspace.project;

import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.bus.Notice;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;

/** Requests about projects, and notices of their changes. Answered by {@link ProjectService} unless a request says otherwise. */
public sealed interface Projects {
    record Create(Principal by, NewProject request) implements Projects, BusRequest<ProjectView> {}

    /** Changes a project that the principal may write. */
    record Update(Principal by, String projectId, ProjectChanges changes)
            implements Projects, BusRequest<ProjectView> {}

    record Show(String projectId) implements Projects, BusRequest<ProjectView> {}

    /** A project, for modules that have already checked access; fails with ENTITY_NOT_FOUND. */
    record Find(String projectId) implements Projects, BusRequest<Project> {}

    /** Limit of concurrent runs of a project, its own or its pool's; fails with ENTITY_NOT_FOUND. */
    record ConcurrencyOf(String projectId) implements Projects, BusRequest<Concurrency> {}

    /** The projects that the principal may see, oldest first. */
    record ListVisible(Principal by, ProjectFilter filter, PageRequest page)
            implements Projects, BusRequest<Page<ProjectView>> {}

    record Delete(Principal by, String projectId) implements Projects, BusRequest<Nothing> {}

    /** Disables the triggers of a deleted project; a failure of a hook is only logged. Answered by the flows. */
    record DisableTriggers(String projectId) implements Projects, BusRequest<Nothing> {}

    /** A team project was made. */
    record Created(String projectId, String platformId) implements Projects, Notice {}

    /** Settings of a project changed, for example its limit of concurrent jobs. */
    record Changed(String projectId) implements Projects, Notice {}

    /** A project was removed from lists and lookups; its rows are removed in the background. */
    record Deleted(String projectId, String platformId) implements Projects, Notice {}
}
