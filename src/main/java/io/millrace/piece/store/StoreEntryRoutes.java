package io.millrace.piece.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.millrace.base.access.Access;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;

/**
 * HTTP API of stored values for code that works for a project (contract flows-and-engine 23). Keys include the scope.
 */
public final class StoreEntryRoutes implements RouteGroup {
    private static final String PATH = "/v1/store-entries";

    private final Bus bus;

    public StoreEntryRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.post(PATH, Access.engine(), Parameters::read, this::put);
        routes.get(PATH, Access.engine(), StoreEntryRoutes::key, this::find);
        routes.delete(PATH, Access.engine(), StoreEntryRoutes::key, this::delete);
    }

    private static String key(Input input) {
        return input.query().text("key", 1, StoreService.KEY_LENGTH_MAX);
    }

    /** Key and value of a request; the value is absent when the code sends none. */
    private record Parameters(String key, JsonNode value) {
        static Parameters read(Input input) {
            var body = input.body();
            var value = body.raw("value");
            return new Parameters(
                    body.text("key", 1, StoreService.KEY_LENGTH_MAX),
                    value.isMissingNode() ? NullNode.instance : value);
        }
    }

    private Future<ApiReply> put(ApiCall call, Parameters parameters) {
        return bus.ask(new StoreEntries.Put(projectOf(call), parameters.key(), parameters.value()), call.deadlineMs())
                .map(StoreEntryRoutes::reply);
    }

    private Future<ApiReply> find(ApiCall call, String key) {
        return bus.ask(new StoreEntries.Find(projectOf(call), key), call.deadlineMs())
                .map(found -> reply(found.orElseThrow(() -> ApiException.notFound("store-entry", key))));
    }

    private Future<ApiReply> delete(ApiCall call, String key) {
        return bus.ask(new StoreEntries.Delete(projectOf(call), key), call.deadlineMs())
                .map(_ -> ApiReply.okEmpty());
    }

    private static String projectOf(ApiCall call) {
        return ((Principal.Engine) call.principal()).projectId();
    }

    private static ApiReply reply(StoreEntry entry) {
        var json = Json.object()
                .put("id", entry.id())
                .put("created", Json.timestamp(entry.created()))
                .put("updated", Json.timestamp(entry.updated()))
                .put("key", entry.key())
                .put("projectId", entry.projectId());
        json.set("value", entry.value());
        return ApiReply.ok(json);
    }
}
