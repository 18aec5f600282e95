package io.millrace.integration.release;

import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;

/**
 * Routes of releases (contract admin-api 11). The contract names no permission for creating one; it changes flows, so the route
 * requires WRITE_PROJECT_RELEASE, which the roles of the contract have for this purpose.
 */
public final class ReleaseRoutes implements RouteGroup {
    private static final int PAGE_LIMIT_DEFAULT = 10;
    private static final String ALL = "/v1/project-releases";

    private final Bus bus;
    private final long deadlineMs;

    /** @param deadlineMs deadline of a release, including its git server and its triggers */
    public ReleaseRoutes(Bus bus, long deadlineMs) {
        this.bus = bus;
        this.deadlineMs = deadlineMs;
    }

    @Override
    public void mount(Routes routes) {
        routes.get(ALL, Access.projectUsersInQuery(), ListQuery::read, this::list);
        routes.get(
                ALL + "/:id", Access.projectUsersOfRow(Releases.ProjectOf::new), input -> input.id("id"), this::find);
        routes.post(ALL + "/diff", Access.projectUsersInBody(), ReleaseRoutes::readSource, this::plan);
        routes.post(ALL, Access.projectInBody(Permission.WRITE_PROJECT_RELEASE), ReleaseRoutes::readWish, this::create);
    }

    private record ListQuery(String projectId, PageRequest page) {
        static ListQuery read(Input input) {
            var query = input.query();
            return new ListQuery(query.text("projectId", Ids.PATTERN), query.page(PAGE_LIMIT_DEFAULT));
        }
    }

    private static ReleaseSource readSource(Input input) {
        var body = input.body();
        body.text("projectId", Ids.PATTERN);
        return ReleaseSource.read(body);
    }

    private static NewRelease readWish(Input input) {
        var body = input.body();
        body.text("projectId", Ids.PATTERN);
        return NewRelease.read(body);
    }

    private Future<ApiReply> list(ApiCall call, ListQuery listing) {
        return bus.ask(new Releases.ListOf(listing.projectId(), listing.page()), call.deadlineMs())
                .map(page -> ApiReply.page(page, Release::toJson));
    }

    private Future<ApiReply> find(ApiCall call, String id) {
        return bus.ask(new Releases.Find(id), call.deadlineMs()).map(release -> ApiReply.ok(release.toJson()));
    }

    private Future<ApiReply> plan(ApiCall call, ReleaseSource source) {
        return bus.ask(new Releases.Plan(call.principal(), call.projectId(), source), deadlineMs)
                .map(ApiReply::ok);
    }

    private Future<ApiReply> create(ApiCall call, NewRelease parameters) {
        return bus.ask(new Releases.Create(call.principal(), call.projectId(), parameters), deadlineMs)
                .map(release -> ApiReply.ok(release.toJson()));
    }
}
