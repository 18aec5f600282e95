package io.millrace.workspace.project;

import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;

/**
 * Counts shown with projects: members in this module's table, flows in the module above. One query each for any number of
 * projects, both concurrently.
 */
final class ProjectFigureCount {
    private final ProjectStore store;
    private final FlowFigures flows;

    ProjectFigureCount(ProjectStore store, FlowFigures flows) {
        this.store = store;
        this.flows = flows;
    }

    Future<ProjectFigures> of(Tx tx, String projectId) {
        return count(tx, List.of(projectId)).map(figures -> figures.apply(projectId));
    }

    Future<Page<ProjectView>> of(Tx tx, Page<Project> page) {
        return count(tx, page.data().stream().map(Project::id).toList())
                .map(figures -> page.map(project -> new ProjectView(project, figures.apply(project.id()))));
    }

    private Future<Function<String, ProjectFigures>> count(Tx tx, List<String> ids) {
        var users = store.countUsers(tx, ids);
        var counts = flows.count(tx, ids);
        return Future.join(users, counts).map(_ -> id -> {
            var members = users.result().getOrDefault(id, new ProjectStore.UserCount(id, 0, 0));
            var count = counts.result().getOrDefault(id, FlowFigures.Count.ZERO);
            return new ProjectFigures(members.total(), members.active(), count.total(), count.active());
        });
    }
}
