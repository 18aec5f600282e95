package io.millrace.piece.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.millrace.base.access.Access;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.base.http.Call;
import io.millrace.base.http.Input;
import io.millrace.base.http.Reply;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;

/** Stored values for code that works for a project, over HTTP (contract flows-and-engine 23). Keys are whole: with scope. */
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

    /** A value to keep; code that has none sends none. */
    private record Parameters(String key, JsonNode value) {
        static Parameters read(Input input) {
            var body = input.body();
            var value = body.raw("value");
            return new Parameters(
                    body.text("key", 1, StoreService.KEY_LENGTH_MAX),
                    value.isMissingNode() ? NullNode.instance : value);
        }
    }

    private Future<Reply> put(Call call, Parameters parameters) {
        return bus.ask(new StoreEntries.Put(projectOf(call), parameters.key(), parameters.value()), call.deadlineMs())
                .map(StoreEntryRoutes::reply);
    }

    private Future<Reply> find(Call call, String key) {
        return bus.ask(new StoreEntries.Find(projectOf(call), key), call.deadlineMs())
                .map(found -> reply(found.orElseThrow(() -> ApiException.notFound("store-entry", key))));
    }

    private Future<Reply> delete(Call call, String key) {
        return bus.ask(new StoreEntries.Delete(projectOf(call), key), call.deadlineMs())
                .map(_ -> Reply.okEmpty());
    }

    private static String projectOf(Call call) {
        return ((Principal.Engine) call.principal()).projectId();
    }

    private static Reply reply(StoreEntry entry) {
        var json = Json.object()
                .put("id", entry.id())
                .put("created", Json.timestamp(entry.created()))
                .put("updated", Json.timestamp(entry.updated()))
                .put("key", entry.key())
                .put("projectId", entry.projectId());
        json.set("value", entry.value());
        return Reply.ok(json);
    }
}
