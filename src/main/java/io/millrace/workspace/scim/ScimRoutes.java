package io.millrace.workspace.scim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Access;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** SCIM over HTTP, for API keys of the platform (contract admin-api 35). Errors have the format of SCIM. */
public final class ScimRoutes implements RouteGroup {
    private static final String PREFIX = "/v1/scim/v2";
    static final String USERS = "/api" + PREFIX + "/Users";
    static final String GROUPS = "/api" + PREFIX + "/Groups";

    private final Bus bus;
    private final Supplier<String> publicUrl;

    public ScimRoutes(Bus bus, Supplier<String> publicUrl) {
        this.bus = bus;
        this.publicUrl = publicUrl;
    }

    @Override
    public void mount(Routes api) {
        var routes = api.refusingAs(ScimFailures::render);
        discovery(routes);
        list(routes, "/Users", ScimUsers.ListOf::new);
        create(routes, "/Users", ScimUsers.Create::new);
        get(routes, "/Users/:id", ScimUsers.Get::new);
        replace(routes, "/Users/:id", ScimUsers.Replace::new);
        patch(routes, "/Users/:id", ScimUsers.Patch::new);
        delete(routes, "/Users/:id", ScimUsers.Delete::new);
        list(routes, "/Groups", ScimGroups.ListOf::new);
        create(routes, "/Groups", ScimGroups.Create::new);
        get(routes, "/Groups/:id", ScimGroups.Get::new);
        replace(routes, "/Groups/:id", ScimGroups.Replace::new);
        patch(routes, "/Groups/:id", ScimGroups.Patch::new);
        delete(routes, "/Groups/:id", ScimGroups.Delete::new);
    }

    private void discovery(Routes routes) {
        var access = Access.platformAdmin();
        routes.get(
                PREFIX + "/ServiceProviderConfig",
                access,
                _ -> base(),
                (_, base) -> sent(200, ScimDiscovery.providerConfig(base)));
        routes.get(
                PREFIX + "/ResourceTypes",
                access,
                _ -> base(),
                (_, base) -> sent(
                        200,
                        ScimDiscovery.page(ScimDiscovery.resourceTypes(base)).toJson()));
        routes.get(
                PREFIX + "/Schemas",
                access,
                _ -> base(),
                (_, base) -> sent(
                        200, ScimDiscovery.page(ScimDiscovery.schemas(base)).toJson()));
    }

    private String base() {
        return publicUrl.get() + "/api" + PREFIX;
    }

    private static Future<ApiReply> sent(int status, JsonNode json) {
        return Future.succeededFuture(reply(status, json));
    }

    private static ApiReply reply(int status, JsonNode json) {
        return new ApiReply(status, Buffer.buffer(Json.bytes(json)), ScimFailures.CONTENT_TYPE);
    }

    private record Change(String id, JsonNode body) {
        static Change read(Input input) {
            return new Change(input.parameter("id"), objectOf(input));
        }
    }

    private static JsonNode objectOf(Input input) {
        if (!input.rawBody().isObject()) {
            throw ScimFailures.invalidSyntax("expected a JSON object");
        }
        return input.rawBody();
    }

    private record Look(String id, ScimQuery query) {}

    private void list(
            Routes routes, String path, BiFunction<Principal, ScimQuery, BusRequest<ScimQuery.ScimPage>> ask) {
        routes.get(
                PREFIX + path,
                Access.platformServices(),
                input -> ScimQuery.read(input.query()),
                (call, query) -> bus.ask(ask.apply(call.principal(), query), call.deadlineMs())
                        .map(page -> {
                            page.resources().forEach(query::trimmed);
                            return reply(200, page.toJson());
                        }));
    }

    private void get(Routes routes, String path, BiFunction<Principal, String, BusRequest<ObjectNode>> ask) {
        routes.get(
                PREFIX + path,
                Access.platformServices(),
                input -> new Look(input.parameter("id"), ScimQuery.read(input.query())),
                (call, look) -> bus.ask(ask.apply(call.principal(), look.id()), call.deadlineMs())
                        .map(resource -> reply(200, look.query().trimmed(resource))));
    }

    private void create(Routes routes, String path, BiFunction<Principal, JsonNode, BusRequest<ObjectNode>> ask) {
        routes.post(
                PREFIX + path,
                Access.platformServices(),
                ScimRoutes::objectOf,
                (call, body) -> bus.ask(ask.apply(call.principal(), body), call.deadlineMs())
                        .map(resource -> created(call, resource)));
    }

    private static ApiReply created(ApiCall call, ObjectNode resource) {
        call.context()
                .response()
                .putHeader("Location", resource.at("/meta/location").asText());
        return reply(201, resource);
    }

    private interface Changing {
        BusRequest<ObjectNode> of(Principal by, String id, JsonNode body);
    }

    private void replace(Routes routes, String path, Changing ask) {
        routes.put(
                PREFIX + path, Access.platformServices(), Change::read, (call, change) -> changed(call, change, ask));
    }

    private void patch(Routes routes, String path, Changing ask) {
        routes.patch(
                PREFIX + path, Access.platformServices(), Change::read, (call, change) -> changed(call, change, ask));
    }

    private Future<ApiReply> changed(ApiCall call, Change change, Changing ask) {
        return bus.ask(ask.of(call.principal(), change.id(), change.body()), call.deadlineMs())
                .map(resource -> reply(200, resource));
    }

    private void delete(Routes routes, String path, BiFunction<Principal, String, BusRequest<Nothing>> ask) {
        routes.delete(
                PREFIX + path,
                Access.platformServices(),
                input -> input.parameter("id"),
                (call, id) -> bus.ask(ask.apply(call.principal(), id), call.deadlineMs())
                        .map(_ -> ApiReply.empty()));
    }
}
