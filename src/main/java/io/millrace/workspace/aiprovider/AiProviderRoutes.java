package io.millrace.workspace.aiprovider;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.util.Optional;

/** Routes of model providers (contract admin-api 28.2). Only pieces may read keys here. */
public final class AiProviderRoutes implements RouteGroup {
    private static final String ALL = "/v1/ai-providers";
    private static final String ONE = "/v1/ai-providers/:id";

    private final Bus bus;

    public AiProviderRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.get(ALL, Access.platformUsersAndPieces(), _ -> true, (call, _) -> list(call));
        routes.post(ALL, Access.platformAdminUsers(), Parameters::read, this::create);
        routes.post(ONE, Access.platformAdminUsers(), ProviderRequest::read, this::update);
        routes.delete(ONE, Access.platformAdminUsers(), input -> input.id("id"), this::delete);
        routes.get("/v1/ai-providers/:provider/config", Access.engine(), Pick::read, this::reveal);
        routes.get("/v1/ai-providers/:provider/models", Access.platformUsersAndPieces(), Pick::read, this::models);
    }

    private record Parameters(
            AiVendor vendor, String displayName, ObjectNode config, ObjectNode auth, ModelScope scope) {
        static Parameters read(Input input) {
            var body = input.body();
            var vendor = vendor(body);
            var displayName = readName(body);
            var config = part(body, "config");
            var auth = part(body, "auth");
            return new Parameters(
                    vendor.orElse(AiVendor.OPENAI),
                    displayName,
                    vendor.flatMap(known -> config.map(fields -> AiSettings.config(known, fields)))
                            .orElseGet(Json::object),
                    vendor.flatMap(known -> auth.map(fields -> AiSettings.auth(known, fields)))
                            .orElseGet(Json::object),
                    ModelScope.read(body).orElse(ModelScope.ALL));
        }

        private static Optional<AiVendor> vendor(Fields body) {
            var word = body.text("provider");
            var vendor = AiVendor.of(word);
            if (vendor.isEmpty() && body.raw("provider").isTextual()) {
                body.refuse("provider", "Invalid option: expected one of " + AiVendor.options());
            }
            return vendor;
        }

        /** Reads a required object; empty when it is missing, which is recorded as a violation. */
        private static Optional<Fields> part(Fields body, String name) {
            if (body.isAbsent(name)) {
                body.inner(name);
                return Optional.empty();
            }
            return body.optionalObject(name).map(_ -> body.inner(name));
        }
    }

    /** Selection of one of a vendor's keys; without {@code configId} the newest. */
    private record Pick(String vendor, Optional<String> configId) {
        static Pick read(Input input) {
            return new Pick(input.parameter("provider"), input.query().optionalText("configId"));
        }
    }

    private record ProviderRequest(
            String id,
            String displayName,
            Optional<ObjectNode> config,
            Optional<ObjectNode> auth,
            Optional<Boolean> enabledForChat,
            Optional<ModelScope> scope) {
        static ProviderRequest read(Input input) {
            var body = input.body();
            return new ProviderRequest(
                    input.id("id"),
                    readName(body),
                    body.optionalObject("config"),
                    body.optionalObject("auth"),
                    body.optionalFlag("enabledForChat"),
                    ModelScope.read(body));
        }
    }

    private static String readName(Fields body) {
        return body.text("displayName", 1, Fields.NAME_LENGTH_MAX);
    }

    private Future<ApiReply> list(ApiCall call) {
        return bus.ask(new AiProviders.ListOf(call.principal()), call.deadlineMs())
                .map(ApiReply::ok);
    }

    private Future<ApiReply> create(ApiCall call, Parameters parameters) {
        return bus.ask(
                        new AiProviders.Create(
                                call.principal(),
                                parameters.vendor(),
                                parameters.displayName(),
                                parameters.config(),
                                parameters.auth(),
                                parameters.scope()),
                        call.deadlineMs())
                .map(ApiReply::created);
    }

    private Future<ApiReply> update(ApiCall call, ProviderRequest wanted) {
        return bus.ask(
                        new AiProviders.Update(
                                call.principal(),
                                wanted.id(),
                                wanted.displayName(),
                                wanted.config(),
                                wanted.auth(),
                                wanted.enabledForChat(),
                                wanted.scope()),
                        call.deadlineMs())
                .map(ApiReply::ok);
    }

    private Future<ApiReply> delete(ApiCall call, String id) {
        return bus.ask(new AiProviders.Delete(call.principal(), id), call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }

    private Future<ApiReply> reveal(ApiCall call, Pick pick) {
        return bus.ask(
                        new AiProviders.Reveal(call.principal().platform(), pick.vendor(), pick.configId()),
                        call.deadlineMs())
                .map(ApiReply::ok);
    }

    private Future<ApiReply> models(ApiCall call, Pick pick) {
        return bus.ask(
                        new AiProviders.FindModels(call.principal().platform(), pick.vendor(), pick.configId()),
                        call.deadlineMs())
                .map(ApiReply::ok);
    }
}
