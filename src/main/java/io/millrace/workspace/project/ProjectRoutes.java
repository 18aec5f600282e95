package io.millrace.workspace.project;

import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;

/** Routes of projects (contract admin-api 3). */
public final class ProjectRoutes implements RouteGroup {
    private static final int PAGE_LIMIT_DEFAULT = 50;

    private final Bus bus;

    public ProjectRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.post("/v1/projects", Access.platformAdmin(), input -> NewProject.read(input.body()), this::create);
        routes.get("/v1/projects", Access.platform(), ListQuery::read, this::list);
        routes.get("/v1/projects/:id", Access.projectInPath(null), input -> input.id("id"), this::show);
        routes.post(
                "/v1/projects/:id", Access.projectInPath(Permission.WRITE_PROJECT), ProjectRoutes::read, this::update);
        routes.delete("/v1/projects/:id", Access.platformAdmin(), input -> input.id("id"), this::delete);
    }

    private record ListQuery(ProjectFilter filter, PageRequest page) {
        static ListQuery read(Input input) {
            var query = input.query();
            return new ListQuery(ProjectFilter.read(query), query.page(PAGE_LIMIT_DEFAULT));
        }
    }

    private static ProjectChanges read(Input input) {
        input.id("id");
        return ProjectChanges.read(input.body());
    }

    private Future<ApiReply> create(ApiCall call, NewProject parameters) {
        return bus.ask(new Projects.Create(call.principal(), parameters), call.deadlineMs())
                .map(view -> ApiReply.created(view.toJson()));
    }

    private Future<ApiReply> list(ApiCall call, ListQuery listing) {
        return bus.ask(new Projects.ListVisible(call.principal(), listing.filter(), listing.page()), call.deadlineMs())
                .map(page -> ApiReply.page(page, ProjectView::toJson));
    }

    private Future<ApiReply> show(ApiCall call, String id) {
        return bus.ask(new Projects.Show(id), call.deadlineMs()).map(view -> ApiReply.ok(view.toJson()));
    }

    private Future<ApiReply> update(ApiCall call, ProjectChanges changes) {
        return bus.ask(new Projects.Update(call.principal(), call.projectId(), changes), call.deadlineMs())
                .map(view -> ApiReply.ok(view.toJson()));
    }

    private Future<ApiReply> delete(ApiCall call, String id) {
        return bus.ask(new Projects.Delete(call.principal(), id), call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }
}
