package io.millrace.account.issuer;

import io.millrace.base.access.Access;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.function.Supplier;

/** Routes of the OpenID provider for clouds (contract admin-api 34). The documents are at the root of the host too. */
public final class ProjectTokenRoutes implements RouteGroup {
    private static final int LIFETIME_SECONDS_MIN = 60;
    private static final int LIFETIME_SECONDS_MAX = 3600;
    private static final int AUDIENCE_LENGTH_MAX = 1_000;

    private final Bus bus;
    private final Supplier<String> publicUrl;

    /** @param publicUrl address of this server without a trailing slash: the issuer in the trust settings of clouds */
    public ProjectTokenRoutes(Bus bus, Supplier<String> publicUrl) {
        this.bus = bus;
        this.publicUrl = publicUrl;
    }

    @Override
    public void mount(Routes routes) {
        var everywhere = routes.alsoAtRoot(RoutingContext::next);
        everywhere.get("/.well-known/openid-configuration", Access.everybody(), _ -> true, (_, _) -> configuration());
        everywhere.get("/.well-known/jwks.json", Access.everybody(), _ -> true, (call, _) -> keys(call));
        routes.post("/v1/worker/oidc-token", Access.engine(), Parameters::read, this::issue);
    }

    private record Parameters(String audience, Duration lifetime) {
        static Parameters read(Input input) {
            var body = input.body();
            var audience = body.text("audience", 1, AUDIENCE_LENGTH_MAX);
            if (body.isSound() && audience.isBlank()) {
                body.refuse("audience", "Invalid input: expected a text that is not blank");
            }
            var seconds = body.optionalInteger("expiresInSeconds", LIFETIME_SECONDS_MIN, LIFETIME_SECONDS_MAX);
            return new Parameters(audience, Duration.ofSeconds(seconds.orElse(LIFETIME_SECONDS_MAX)));
        }
    }

    private Future<ApiReply> configuration() {
        var issuer = publicUrl.get();
        var json = Json.object().put("issuer", issuer).put("jwks_uri", issuer + "/.well-known/jwks.json");
        json.putArray("response_types_supported").add("id_token");
        json.putArray("subject_types_supported").add("public");
        json.putArray("id_token_signing_alg_values_supported").add("RS256");
        json.putArray("claims_supported")
                .add("iss")
                .add("sub")
                .add("aud")
                .add("iat")
                .add("exp");
        return Future.succeededFuture(ApiReply.ok(json));
    }

    private Future<ApiReply> keys(ApiCall call) {
        return bus.ask(new ProjectTokens.FindKeys(), call.deadlineMs()).map(ApiReply::ok);
    }

    private Future<ApiReply> issue(ApiCall call, Parameters parameters) {
        var by = (Principal.Engine) call.principal();
        return bus.ask(
                        new ProjectTokens.Issue(by, publicUrl.get(), parameters.audience(), parameters.lifetime()),
                        call.deadlineMs())
                .map(token -> ApiReply.ok(Json.object().put("token", token)));
    }
}
