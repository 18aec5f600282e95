package io.millrace.project;

import io.millrace.access.Principal;
import io.millrace.bus.Nothing;
import io.millrace.bus.Notice;
import io.millrace.bus.Request;
import io.millrace.core.Page;
import io.millrace.core.PageRequest;

/** What one may ask of projects, and what projects announce. Answered by {@link ProjectService}. */
public sealed interface Projects {
    /** Makes a team project. */
    record Create(Principal by, NewProject wish) implements Projects, Request<ProjectView> {}

    /** Changes a project that the principal may write. */
    record Update(Principal by, String projectId, ProjectChanges changes) implements Projects, Request<ProjectView> {}

    /** A project that the principal may enter, with its figures. */
    record Show(String projectId) implements Projects, Request<ProjectView> {}

    /** A project, for rooms that have already decided who asks; fails with ENTITY_NOT_FOUND. */
    record Find(String projectId) implements Projects, Request<Project> {}

    /** Whose limit of concurrent runs a project has; fails with ENTITY_NOT_FOUND. */
    record ConcurrencyOf(String projectId) implements Projects, Request<Concurrency> {}

    /** The projects that the principal may see, oldest first. */
    record ListVisible(Principal by, ProjectFilter filter, PageRequest page)
            implements Projects, Request<Page<ProjectView>> {}

    /** Deletes a team project of the principal's platform. */
    record Delete(Principal by, String projectId) implements Projects, Request<Nothing> {}

    /** A team project was made. */
    record Created(String projectId, String platformId) implements Projects, Notice {}

    /** Settings of a project changed, for example its limit of concurrent jobs. */
    record Changed(String projectId) implements Projects, Notice {}

    /** A project is gone from lists and lookups; its rows follow in the background. */
    record Deleted(String projectId, String platformId) implements Projects, Notice {}
}
