package io.millrace.workspace.aiprovider;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.core.input.Fields;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.util.Optional;

/** Routes of the services that agents use as tools (contract admin-api 28.3). Keys are write-only. */
public final class AiToolRoutes implements RouteGroup {
    private static final String ALL = "/v1/ai-tools";
    private static final String ONE = "/v1/ai-tools/:id";
    private static final int KEY_LENGTH_MAX = 4_096;

    private final Bus bus;

    public AiToolRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var access = Access.platformAdminUsers();
        routes.get(ALL, access, _ -> true, (call, _) -> list(call));
        routes.post(ALL, access, Parameters::read, this::save);
        routes.post(ONE, access, ToolServiceRequest::read, this::update);
        routes.delete(ONE, access, input -> input.id("id"), this::delete);
    }

    private record Parameters(
            AiTool.Capability capability,
            AiTool.Service service,
            String apiKey,
            Optional<ObjectNode> config,
            boolean enabled) {
        static Parameters read(Input input) {
            var body = input.body();
            return new Parameters(
                    body.option("capability", AiTool.Capability.class),
                    body.option("provider", AiTool.Service.class),
                    readKey(body),
                    body.orNull().optionalObject("config"),
                    body.optionalFlag("enabled").orElse(true));
        }
    }

    private record ToolServiceRequest(
            String id,
            Optional<AiTool.Service> service,
            Optional<String> apiKey,
            FieldChange<ObjectNode> config,
            Optional<Boolean> enabled) {
        static ToolServiceRequest read(Input input) {
            var body = input.body();
            return new ToolServiceRequest(
                    input.id("id"),
                    body.optionalOption("provider", AiTool.Service.class),
                    body.isAbsent("auth") ? Optional.empty() : Optional.of(readKey(body)),
                    body.orNull().changedObject("config"),
                    body.optionalFlag("enabled"));
        }
    }

    private static String readKey(Fields body) {
        if (body.isAbsent("auth") || body.optionalObject("auth").isPresent()) {
            return body.inner("auth").text("apiKey", 1, KEY_LENGTH_MAX);
        }
        return "";
    }

    private Future<ApiReply> list(ApiCall call) {
        return bus.ask(new AiTools.ListOf(call.principal()), call.deadlineMs()).map(ApiReply::ok);
    }

    private Future<ApiReply> save(ApiCall call, Parameters parameters) {
        return bus.ask(
                        new AiTools.Save(
                                call.principal(),
                                parameters.capability(),
                                parameters.service(),
                                parameters.apiKey(),
                                parameters.config(),
                                parameters.enabled()),
                        call.deadlineMs())
                .map(ApiReply::created);
    }

    private Future<ApiReply> update(ApiCall call, ToolServiceRequest wanted) {
        return bus.ask(
                        new AiTools.Update(
                                call.principal(),
                                wanted.id(),
                                wanted.service(),
                                wanted.apiKey(),
                                wanted.config(),
                                wanted.enabled()),
                        call.deadlineMs())
                .map(ApiReply::ok);
    }

    private Future<ApiReply> delete(ApiCall call, String id) {
        return bus.ask(new AiTools.Delete(call.principal(), id), call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }
}
