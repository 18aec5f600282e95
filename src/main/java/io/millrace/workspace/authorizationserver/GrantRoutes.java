package io.millrace.workspace.authorizationserver;

import io.millrace.account.platform.Platform;
import io.millrace.account.platform.Platforms;
import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Page;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.ErrorRenderer;
import io.millrace.base.http.Input;
import io.millrace.base.http.NamedAuthority;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.base.http.page.HtmlPage;
import io.millrace.base.http.page.PageBrand;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Routes of the authorization server (contract admin-api 33), at the root of the host and under {@code /api}. */
public final class GrantRoutes implements RouteGroup {
    private static final List<String> TOKEN_FIELDS = List.of(
            "grant_type",
            "code",
            "client_id",
            "client_secret",
            "code_verifier",
            "redirect_uri",
            "refresh_token",
            "resource",
            "scope");
    private static final List<String> REVOKE_FIELDS = List.of("token", "client_id", "client_secret", "token_type_hint");

    private final Bus bus;
    private final Supplier<String> publicUrl;
    private final NamedAuthority authority;
    private final Consumer<RoutingContext> registrationLimit;

    /** @param registrationLimit rate limit of registrations, which need no credential and add a row each */
    public GrantRoutes(
            Bus bus, Supplier<String> publicUrl, NamedAuthority authority, Consumer<RoutingContext> registrationLimit) {
        this.bus = bus;
        this.publicUrl = publicUrl;
        this.authority = authority;
        this.registrationLimit = registrationLimit;
    }

    @Override
    public void mount(Routes routes) {
        var everywhere = routes.alsoAtRoot(GrantRoutes::noStore);
        new DiscoveryRoutes(publicUrl, authority).mount(everywhere);
        everywhere.post("/register", Access.everybody(), Registration::read, this::register);
        everywhere.get("/authorize", Access.everybody(), AuthorizationRequest::read, this::authorize);
        everywhere.get("/mcp-authorize", Access.everybody(), GrantRoutes::readConsent, this::consent);
        everywhere.post("/token", Access.everybody(), GrantRoutes::readToken, this::token);
        everywhere.post("/revoke", Access.everybody(), GrantRoutes::readRevocation, this::revoke);
        routes.post("/v1/mcp-oauth/approve", Access.platformUsers(), GrantRoutes::readApproval, this::approve);
        routes.get("/v1/mcp-oauth/grants", Access.platformUsers(), _ -> true, (call, _) -> list(call));
        routes.delete("/v1/mcp-oauth/grants/:id", Access.platformUsers(), input -> input.id("id"), this::end);
    }

    /**
     * Consent of a user.
     *
     * @param projectId the one project that is opened; empty for all
     */
    private record Approval(String authRequestId, Optional<String> projectId) {}

    /** Token request without its Authorization header, which may hold the client's credentials. */
    private record TokenRequest(ClientCredentials client, Grants.Offer offer) {}

    /**
     * Revocation request without its Authorization header, which may hold the client's credentials.
     *
     * @param isRefreshToken false when the client declares another type of token
     */
    private record Revocation(ClientCredentials client, String token, boolean isRefreshToken) {}

    private Future<ApiReply> register(ApiCall call, Registration parameters) {
        registrationLimit.accept(call.context());
        return bus.ask(new Grants.Register(parameters), call.deadlineMs())
                .map(registered -> ApiReply.created(registered.toJson()));
    }

    private Future<ApiReply> authorize(ApiCall call, AuthorizationRequest parameters) {
        var issuer = issuer(call);
        return bus.ask(new Grants.Authorize(parameters, issuer), call.deadlineMs())
                .map(authRequestId -> {
                    var page = issuer.at("/mcp-authorize?authRequestId=" + authRequestId);
                    call.context().response().putHeader("Location", page);
                    return new ApiReply(302, null, null);
                });
    }

    private static String readConsent(Input input) {
        return input.query().optionalText("authRequestId").orElse("");
    }

    /** Answers a browser with a page, also for failures. */
    private Future<ApiReply> consent(ApiCall call, String authRequestId) {
        return brand(call)
                .compose(brand -> bus.ask(new Grants.ShowConsent(authRequestId), call.deadlineMs())
                        .map(consent -> ConsentPage.ask(consent, authRequestId, issuer(call), brand.name()))
                        .map(page -> reply(call, page, brand, 200))
                        .recover(failure -> failure instanceof ApiException refused
                                        && refused.code().shape() == ErrorCode.Shape.OAUTH
                                ? Future.succeededFuture(reply(call, ConsentPage.expired(), brand, 400))
                                : Future.failedFuture(failure)));
    }

    private static ApiReply reply(ApiCall call, HtmlPage page, PageBrand brand, int status) {
        var context = call.context();
        return page.branded(brand, context.request().path()).reply(status, context.response());
    }

    /** Brand of the platform; the default one if it cannot be read, because a user can consent without it. */
    private Future<PageBrand> brand(ApiCall call) {
        return bus.ask(new Platforms.Oldest(), call.deadlineMs())
                .map(platform -> platform.map(GrantRoutes::brand).orElse(PageBrand.USUAL))
                .otherwise(PageBrand.USUAL);
    }

    private static PageBrand brand(Platform platform) {
        var looks = platform.looks();
        return PageBrand.of(platform.name(), looks.primaryColor(), looks.logoIconUrl());
    }

    private static Approval readApproval(Input input) {
        var body = input.body();
        return new Approval(body.text("authRequestId"), body.optionalText("projectId"));
    }

    private Future<ApiReply> approve(ApiCall call, Approval parameters) {
        return bus.ask(
                        new Grants.Approve(call.principal(), parameters.authRequestId(), parameters.projectId()),
                        call.deadlineMs())
                .map(address -> ApiReply.ok(Json.object().put("redirectUrl", address)));
    }

    private Future<ApiReply> list(ApiCall call) {
        return bus.ask(new Grants.ListLiving(call.principal()), call.deadlineMs())
                .map(grants -> ApiReply.page(Page.whole(grants), ActiveGrant::toJson));
    }

    private Future<ApiReply> end(ApiCall call, String id) {
        return bus.ask(new Grants.End(call.principal(), id), call.deadlineMs()).map(_ -> ApiReply.empty());
    }

    private static TokenRequest readToken(Input input) {
        var body = input.body().orNull();
        AuthorizationRequest.refuseRepeated(body, TOKEN_FIELDS);
        var resource = body.optionalText("resource");
        var client = new ClientCredentials(body.optionalText("client_id"), body.optionalText("client_secret"));
        return switch (body.text("grant_type")) {
            case "authorization_code" ->
                new TokenRequest(
                        client,
                        new Grants.Offer.Code(
                                needed(body.optionalText("code"), "code"),
                                needed(body.optionalText("code_verifier"), "code_verifier"),
                                needed(body.optionalText("redirect_uri"), "redirect_uri"),
                                resource));
            case "refresh_token" ->
                new TokenRequest(
                        client,
                        new Grants.Offer.Refresh(
                                needed(body.optionalText("refresh_token"), "refresh_token"), resource));
            default ->
                throw ApiException.of(
                        ErrorCode.OAUTH_UNSUPPORTED_GRANT_TYPE, "expected authorization_code or refresh_token");
        };
    }

    private static String needed(Optional<String> value, String name) {
        return value.filter(text -> !text.isEmpty())
                .orElseThrow(() -> ApiException.of(ErrorCode.OAUTH_INVALID_REQUEST, name + " is missing"));
    }

    private Future<ApiReply> token(ApiCall call, TokenRequest request) {
        var exchange = new Grants.Exchange(shown(call, request.client()), request.offer(), issuer(call));
        return bus.ask(exchange, call.deadlineMs())
                .map(tokens -> ApiReply.ok(tokens.toJson()))
                .recover(failure -> Future.failedFuture(inTheWordsOfOAuth(failure, call)));
    }

    /** Renders an internal error as OAuth clients expect it; it is logged like any other. */
    private static ApiException inTheWordsOfOAuth(Throwable failure, ApiCall call) {
        var refusal = ErrorRenderer.refusalOf(failure, Routes.requestId(call.context()));
        return refusal.code() == ErrorCode.INTERNAL
                ? ApiException.of(ErrorCode.OAUTH_SERVER_ERROR, refusal.text())
                : refusal;
    }

    private static Revocation readRevocation(Input input) {
        var body = input.body().orNull();
        AuthorizationRequest.refuseRepeated(body, REVOKE_FIELDS);
        return new Revocation(
                new ClientCredentials(body.optionalText("client_id"), body.optionalText("client_secret")),
                body.text("token"),
                body.optionalText("token_type_hint").orElse("refresh_token").equals("refresh_token"));
    }

    /** Revokes refresh tokens only. Access tokens end with their grant or within minutes, so there is no row to revoke. */
    private Future<ApiReply> revoke(ApiCall call, Revocation request) {
        var token = request.isRefreshToken() ? request.token() : "";
        return bus.ask(new Grants.Revoke(shown(call, request.client()), token), call.deadlineMs())
                .map(_ -> ApiReply.okEmpty());
    }

    private static ClientCredentials shown(ApiCall call, ClientCredentials inBody) {
        return inBody.and(call.context().request().getHeader("Authorization"));
    }

    private Issuer issuer(ApiCall call) {
        return Issuer.of(publicUrl.get(), authority.of(call.context().request()));
    }

    /** Headers of every answer, including refusals of malformed bodies. */
    private static void noStore(RoutingContext context) {
        context.response().putHeader("Cache-Control", "no-store").putHeader("Pragma", "no-cache");
        context.next();
    }
}
