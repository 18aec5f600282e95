package io.millrace.workspace.connection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;

/** Routes of the connections of a project (contract admin-api 7). */
public final class ConnectionRoutes implements RouteGroup {
    private static final int PAGE_LIMIT_DEFAULT = 10;
    private static final String ALL = "/v1/app-connections";
    private static final String ONE = "/v1/app-connections/:id";

    private final Bus bus;

    public ConnectionRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var read = Permission.READ_APP_CONNECTION;
        var write = Permission.WRITE_APP_CONNECTION;
        routes.post(ALL, Access.projectInBody(write), ConnectionRoutes::readWish, this::save);
        routes.get(ALL, Access.projectInQuery(read), ListQuery::read, this::list);
        routes.get(ALL + "/owners", Access.projectInQuery(read), ConnectionRoutes::readProject, this::owners);
        routes.post(ALL + "/replace", Access.projectInBody(write), Replacing::read, this::replace);
        routes.get(ONE, Access.projectOfRow(read, Connections.ProjectOf::new), input -> input.id("id"), this::show);
        routes.post(ONE, Access.projectOfRow(write, Connections.ProjectOf::new), Naming::read, this::update);
        routes.delete(
                ONE, Access.projectOfRow(write, Connections.ProjectOf::new), input -> input.id("id"), this::delete);
        routes.post(
                ONE + "/revalidate",
                Access.projectOfRow(write, Connections.ProjectOf::new),
                input -> input.id("id"),
                this::revalidate);
    }

    private record ListQuery(ConnectionFilter filter, PageRequest page) {
        static ListQuery read(Input input) {
            var query = input.query();
            query.text("projectId", Ids.PATTERN);
            return new ListQuery(ConnectionFilter.read(query), query.page(PAGE_LIMIT_DEFAULT));
        }
    }

    private record Naming(String id, String displayName, FieldChange<ObjectNode> metadata) {
        static Naming read(Input input) {
            var body = input.body();
            return new Naming(
                    input.id("id"), body.text("displayName", 1, Integer.MAX_VALUE), body.changedObject("metadata"));
        }
    }

    private static NewConnection readWish(Input input) {
        var body = input.body();
        body.text("projectId", Ids.PATTERN);
        return NewConnection.read(body);
    }

    private static String readProject(Input input) {
        return input.query().text("projectId", Ids.PATTERN);
    }

    private record Replacing(String sourceId, String targetId, boolean deleteSource, boolean applyToPublished) {
        static Replacing read(Input input) {
            var body = input.body();
            body.text("projectId", Ids.PATTERN);
            return new Replacing(
                    body.text("sourceAppConnectionId", Ids.PATTERN),
                    body.text("targetAppConnectionId", Ids.PATTERN),
                    body.optionalFlag("deleteSourceConnection").orElse(false),
                    body.optionalFlag("applyToPublishedVersions").orElse(false));
        }
    }

    private Future<ApiReply> save(ApiCall call, NewConnection parameters) {
        return bus.ask(new Connections.Save(call.principal(), call.projectId(), parameters), call.deadlineMs())
                .map(view -> ApiReply.created(view.toJson()));
    }

    private Future<ApiReply> list(ApiCall call, ListQuery listing) {
        return bus.ask(new Connections.ListOf(call.projectId(), listing.filter(), listing.page()), call.deadlineMs())
                .map(page -> ApiReply.page(page, ConnectionView::toJson));
    }

    private Future<ApiReply> owners(ApiCall call, String projectId) {
        return bus.ask(new Connections.FindOwners(projectId), call.deadlineMs())
                .map(owners -> ApiReply.page(Page.whole(owners), owner -> owner));
    }

    private Future<ApiReply> replace(ApiCall call, Replacing parameters) {
        return bus.ask(
                        new Connections.Replace(
                                call.principal(),
                                call.projectId(),
                                parameters.sourceId(),
                                parameters.targetId(),
                                parameters.deleteSource(),
                                parameters.applyToPublished()),
                        call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }

    private Future<ApiReply> show(ApiCall call, String id) {
        return bus.ask(new Connections.Show(id, call.projectId()), call.deadlineMs())
                .map(view -> ApiReply.ok(view.toJson()));
    }

    private Future<ApiReply> update(ApiCall call, Naming naming) {
        return bus.ask(
                        new Connections.Update(
                                call.principal(),
                                naming.id(),
                                call.projectId(),
                                naming.displayName(),
                                naming.metadata()),
                        call.deadlineMs())
                .map(view -> ApiReply.ok(view.toJson()));
    }

    private Future<ApiReply> delete(ApiCall call, String id) {
        return bus.ask(new Connections.Delete(call.principal(), id, call.projectId()), call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }

    private Future<ApiReply> revalidate(ApiCall call, String id) {
        return bus.ask(new Connections.Revalidate(id, call.projectId()), call.deadlineMs())
                .map(view -> ApiReply.ok(view.toJson()));
    }
}
