package io.millrace.workspace.authorizationserver;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Access;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.NamedAuthority;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Metadata documents, by which clients discover the endpoints (contract admin-api 33.1; RFC 8414, RFC 9728). */
final class DiscoveryRoutes implements RouteGroup {
    private static final String SCOPE = "mcp";

    private final Supplier<String> publicUrl;
    private final NamedAuthority authority;

    DiscoveryRoutes(Supplier<String> publicUrl, NamedAuthority authority) {
        this.publicUrl = publicUrl;
        this.authority = authority;
    }

    @Override
    public void mount(Routes routes) {
        document(routes, "/.well-known/oauth-authorization-server", DiscoveryRoutes::authorizationServer);
        for (var resource : List.of(Issuer.PROJECT_RESOURCE, Issuer.PLATFORM_RESOURCE)) {
            document(routes, Issuer.PROTECTED_RESOURCE + resource, issuer -> protectedResource(issuer, resource));
        }
        routes.get(
                Issuer.PROTECTED_RESOURCE + Issuer.pathOf(":projectId"),
                Access.everybody(),
                DiscoveryRoutes::ofProject,
                this::answer);
    }

    private static Function<Issuer, ObjectNode> ofProject(Input input) {
        var resource = Issuer.pathOf(input.id("projectId"));
        return issuer -> protectedResource(issuer, resource);
    }

    private void document(Routes routes, String path, Function<Issuer, ObjectNode> content) {
        routes.get(path, Access.everybody(), _ -> content, this::answer);
    }

    private Future<ApiReply> answer(ApiCall call, Function<Issuer, ObjectNode> content) {
        var context = call.context();
        context.response().putHeader("Access-Control-Allow-Origin", "*");
        var issuer = Issuer.of(publicUrl.get(), authority.of(context.request()));
        return Future.succeededFuture(ApiReply.ok(content.apply(issuer)));
    }

    private static ObjectNode authorizationServer(Issuer issuer) {
        var json = Json.object()
                .put("issuer", issuer.url())
                .put("authorization_endpoint", issuer.at("/authorize"))
                .put("token_endpoint", issuer.at("/token"))
                .put("registration_endpoint", issuer.at("/register"))
                .put("revocation_endpoint", issuer.at("/revoke"));
        json.putArray("response_types_supported").add("code");
        json.putArray("grant_types_supported").add("authorization_code").add("refresh_token");
        json.putArray("code_challenge_methods_supported").add("S256");
        for (var field :
                List.of("token_endpoint_auth_methods_supported", "revocation_endpoint_auth_methods_supported")) {
            json.putArray(field)
                    .add("client_secret_post")
                    .add("client_secret_basic")
                    .add("none");
        }
        json.putArray("scopes_supported").add(SCOPE);
        json.putArray("response_modes_supported").add("query");
        return json.put("authorization_response_iss_parameter_supported", true)
                .put("client_id_metadata_document_supported", false);
    }

    private static ObjectNode protectedResource(Issuer issuer, String resource) {
        var json = Json.object().put("resource", issuer.at(resource));
        json.putArray("authorization_servers").add(issuer.url());
        json.putArray("scopes_supported").add(SCOPE);
        json.putArray("bearer_methods_supported").add("header");
        return json.put("resource_name", "Millrace");
    }
}
