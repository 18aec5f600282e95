package io.millrace.workspace.secretmanager;

import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Routes of secret managers (contract admin-api 26.2). */
public final class SecretManagerRoutes implements RouteGroup {
    private static final String ALL = "/v1/secret-managers";
    private static final String ONE = "/v1/secret-managers/:id";
    private static final int PAGE_LIMIT_DEFAULT = 10;
    private static final int PROJECTS_MAX = 1_000;

    private final Bus bus;

    public SecretManagerRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.get(ALL, Access.platformUsers(), ListQuery::read, this::list);
        routes.post(ALL, Access.platformAdminUsers(), input -> readWish(input.body()), this::create);
        routes.post(ONE, Access.platformAdminUsers(), ManagerRequest::read, this::update);
        routes.delete(
                ALL + "/cache",
                Access.platformAdmin(),
                input -> input.query().optionalText("connectionId", Ids.PATTERN),
                this::dropCache);
        routes.delete(ONE, Access.platformAdminUsers(), input -> input.id("id"), this::delete);
    }

    private record ListQuery(Optional<String> projectId, PageRequest page) {
        static ListQuery read(Input input) {
            var query = input.query();
            return new ListQuery(query.optionalText("projectId", Ids.PATTERN), query.page(PAGE_LIMIT_DEFAULT));
        }
    }

    private record ManagerRequest(String id, SecretManagers.Parameters parameters) {
        static ManagerRequest read(Input input) {
            return new ManagerRequest(input.id("id"), readWish(input.body()));
        }
    }

    private static SecretManagers.Parameters readWish(Fields body) {
        var vendor = readVendor(body);
        var name = body.text("name", 0, Fields.NAME_LENGTH_MAX);
        if (body.raw("name").isTextual() && name.isBlank()) {
            body.refuse("name", "required");
        }
        var scope = body.option("scope", SecretManager.Scope.class);
        var projectIds = readProjects(body, scope);
        var isReadable =
                body.isAbsent("config") || body.optionalObject("config").isPresent();
        return new SecretManagers.Parameters(
                vendor.orElse(SecretVendor.AWS),
                name,
                scope,
                projectIds,
                vendor.filter(_ -> isReadable)
                        .map(known -> SecretConfig.read(known, body.inner("config")))
                        .orElseGet(Json::object));
    }

    private static Optional<SecretVendor> readVendor(Fields body) {
        var word = body.text("providerId");
        var vendor = SecretVendor.of(word);
        if (vendor.isEmpty() && body.raw("providerId").isTextual()) {
            body.refuse("providerId", "Invalid option: expected one of " + SecretVendor.options());
        }
        return vendor;
    }

    private static List<String> readProjects(Fields body, SecretManager.Scope scope) {
        var ids = body.texts("projectIds").stream().distinct().toList();
        if (ids.size() > PROJECTS_MAX) {
            body.refuse("projectIds", "Too big: expected array to have <=" + PROJECTS_MAX + " items");
        }
        if (scope == SecretManager.Scope.PLATFORM) {
            return List.of();
        }
        if (ids.isEmpty()) {
            body.refuse("projectIds", "Too small: expected array to have >=1 items");
        }
        return ids;
    }

    private Future<ApiReply> list(ApiCall call, ListQuery listing) {
        return bus.ask(
                        new SecretManagers.ListOf(call.principal(), listing.projectId(), listing.page()),
                        call.deadlineMs())
                .map(page -> ApiReply.page(page, Function.identity()));
    }

    private Future<ApiReply> create(ApiCall call, SecretManagers.Parameters parameters) {
        return bus.ask(new SecretManagers.Save(call.principal(), Optional.empty(), parameters), call.deadlineMs())
                .map(ApiReply::created);
    }

    private Future<ApiReply> update(ApiCall call, ManagerRequest wanted) {
        return bus.ask(
                        new SecretManagers.Save(call.principal(), Optional.of(wanted.id()), wanted.parameters()),
                        call.deadlineMs())
                .map(ApiReply::ok);
    }

    private Future<ApiReply> delete(ApiCall call, String id) {
        return bus.ask(new SecretManagers.Delete(call.principal(), id), call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }

    private Future<ApiReply> dropCache(ApiCall call, Optional<String> id) {
        return bus.ask(new SecretManagers.DropCache(call.principal(), id), call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }
}
