package io.millrace.workspace.connection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Routes of global connections, and of the lists over a whole platform (contract admin-api 7.8, 8). */
public final class GlobalConnectionRoutes implements RouteGroup {
    private static final int PAGE_LIMIT_DEFAULT = 10;
    private static final int OWNERS_MAX = 1000;

    private final Bus bus;

    public GlobalConnectionRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var admin = Access.platformAdmin();
        routes.post("/v1/global-connections", admin, Parameters::read, this::save);
        routes.get("/v1/global-connections", admin, ListQuery::readGlobal, this::listGlobal);
        routes.post("/v1/global-connections/:id", admin, Changes::read, this::update);
        routes.delete("/v1/global-connections/:id", admin, input -> input.id("id"), this::delete);
        routes.get("/v1/platform-app-connections", admin, ListQuery::readAll, this::list);
        routes.get("/v1/platform-app-connections/owners", admin, _ -> true, (call, _) -> owners(call));
    }

    private record Parameters(List<String> projectIds, NewConnection connection) {
        static Parameters read(Input input) {
            var body = input.body();
            if (!body.text("scope").equals(ConnectionScope.PLATFORM.name())
                    && body.raw("scope").isTextual()) {
                body.refuse("scope", "Invalid input: expected \"PLATFORM\"");
            }
            return new Parameters(body.requiredTexts("projectIds"), NewConnection.readGlobal(body));
        }
    }

    private record ListQuery(ConnectionFilter filter, PageRequest page) {
        static ListQuery readGlobal(Input input) {
            var query = input.query();
            return new ListQuery(
                    ConnectionFilter.read(query).of(ConnectionScope.PLATFORM), query.page(PAGE_LIMIT_DEFAULT));
        }

        static ListQuery readAll(Input input) {
            var query = input.query();
            return new ListQuery(ConnectionFilter.readForPlatform(query), query.page(PAGE_LIMIT_DEFAULT));
        }
    }

    private record Changes(
            String id,
            String displayName,
            Optional<List<String>> projectIds,
            FieldChange<ObjectNode> metadata,
            Optional<Boolean> preSelectForNewProjects) {
        static Changes read(Input input) {
            var body = input.body();
            return new Changes(
                    input.id("id"),
                    body.text("displayName", 1, Integer.MAX_VALUE),
                    body.optionalTexts("projectIds"),
                    body.changedObject("metadata"),
                    body.optionalFlag("preSelectForNewProjects"));
        }
    }

    private Future<ApiReply> save(ApiCall call, Parameters parameters) {
        return bus.ask(
                        new Connections.SaveGlobal(call.principal(), parameters.projectIds(), parameters.connection()),
                        call.deadlineMs())
                .map(view -> ApiReply.created(view.toJson()));
    }

    private Future<ApiReply> listGlobal(ApiCall call, ListQuery listing) {
        return find(call, listing)
                .map(page -> ApiReply.page(page, view -> view.withoutProjects().toJson()));
    }

    private Future<ApiReply> list(ApiCall call, ListQuery listing) {
        return find(call, listing).map(page -> ApiReply.page(page, ConnectionView::toJson));
    }

    private Future<Page<ConnectionView>> find(ApiCall call, ListQuery listing) {
        return bus.ask(
                new Connections.ListOnPlatform(call.principal(), listing.filter(), listing.page()), call.deadlineMs());
    }

    private Future<ApiReply> update(ApiCall call, Changes changes) {
        return bus.ask(
                        new Connections.UpdateGlobal(
                                call.principal(),
                                changes.id(),
                                changes.displayName(),
                                changes.projectIds(),
                                changes.metadata(),
                                changes.preSelectForNewProjects()),
                        call.deadlineMs())
                .map(view -> ApiReply.ok(view.toJson()));
    }

    private Future<ApiReply> delete(ApiCall call, String id) {
        return bus.ask(new Connections.DeleteGlobal(call.principal(), id), call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }

    private Future<ApiReply> owners(ApiCall call) {
        return bus.ask(new Connections.FindPlatformOwners(call.principal()), call.deadlineMs())
                .map(owners -> {
                    var body = Json.object();
                    var data = body.putArray("data");
                    owners.stream().limit(OWNERS_MAX).forEach(data::add);
                    return ApiReply.ok(
                            body.putNull("next").putNull("previous").put("truncated", owners.size() > OWNERS_MAX));
                });
    }
}
