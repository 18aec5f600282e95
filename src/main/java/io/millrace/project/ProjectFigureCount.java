package io.millrace.project;

import io.millrace.core.Page;
import io.millrace.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** Puts figures beside projects: members from this room's table, flows from the room above; one question each. */
final class ProjectFigureCount {
    private final ProjectStore store;
    private final FlowFigures flows;

    ProjectFigureCount(ProjectStore store, FlowFigures flows) {
        this.store = store;
        this.flows = flows;
    }

    Future<ProjectView> of(Tx tx, Project project) {
        return of(tx, Page.whole(List.of(project))).map(page -> page.data().getFirst());
    }

    Future<Page<ProjectView>> of(Tx tx, Page<Project> page) {
        var ids = page.data().stream().map(Project::id).toList();
        return store.countUsers(tx, ids)
                .compose(users ->
                        flows.count(tx, ids).map(counts -> page.map(project -> view(project, users, counts))));
    }

    private static ProjectView view(
            Project project, Map<String, ProjectStore.UserCount> users, Map<String, FlowFigures.Count> flows) {
        var members = users.getOrDefault(project.id(), new ProjectStore.UserCount(project.id(), 0, 0));
        var count = flows.getOrDefault(project.id(), FlowFigures.Count.ZERO);
        return new ProjectView(
                project, new ProjectFigures(members.total(), members.active(), count.total(), count.active()));
    }
}
