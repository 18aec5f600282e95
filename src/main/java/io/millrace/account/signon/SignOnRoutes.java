package io.millrace.account.signon;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.signin.SignInLimit;
import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.base.http.SessionCookie;
import io.vertx.core.Future;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;

/** Routes of sign-in with an identity provider (contract admin-api 32.1, 32.8). */
public final class SignOnRoutes implements RouteGroup {
    private static final String COOKIE = "millrace_sign_on";
    private static final String COOKIE_PATH = "/api/v1/authn/federated";
    private static final String SAML_COOKIE = "millrace_saml";
    private static final String SAML_COOKIE_PATH = "/api/v1/authn/saml";
    private static final String HAND_OVER_COOKIE = "millrace_hand_over";
    private static final String HAND_OVER_PATH = "/api/v1/authn/hand-over";
    private static final long HAND_OVER_SECONDS_MAX = 120;
    private static final int CODE_LENGTH_MAX = 4_000;
    private static final int ISSUER_LENGTH_MAX = 2_000;

    private final Bus bus;
    private final SignInLimit limit;
    private final Supplier<String> publicUrl;
    private final SessionCookie sessions;

    /**
     * @param limit shared with the other ways to sign in
     * @param publicUrl address of this server without a trailing slash
     */
    public SignOnRoutes(Bus bus, SignInLimit limit, Supplier<String> publicUrl) {
        this.bus = bus;
        this.limit = limit;
        this.publicUrl = publicUrl;
        this.sessions = new SessionCookie(publicUrl);
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/authn/federated/login", Access.everybody(), SignOnRoutes::readName, this::begin);
        routes.post("/v1/authn/federated/claim", Access.everybody(), Answer::read, this::claim);
        routes.get("/v1/authn/saml/login", Access.everybody(), _ -> ProviderName.SAML, this::redirect);
        routes.get("/v1/authn/saml/metadata", Access.everybody(), _ -> true, (call, _) -> metadata(call));
        routes.post(
                "/v1/authn/saml/acs", Access.everybody(), input -> input.body().text("SAMLResponse"), this::consume);
        routes.post("/v1/authn/hand-over", Access.everybody(), _ -> true, (call, _) -> takeOver(call));
    }

    private static ProviderName readName(Input input) {
        var query = input.query();
        return ProviderName.of(query.text("providerName"))
                .filter(name -> name != ProviderName.SAML)
                .orElseGet(() -> {
                    if (!query.isAbsent("providerName")) {
                        query.refuse("providerName", "Invalid option: expected one of \"google\"|\"oidc\"");
                    }
                    return ProviderName.GOOGLE;
                });
    }

    private record Answer(ProviderName provider, String code, String state, Optional<String> issuer) {
        static Answer read(Input input) {
            var body = input.body();
            var provider = ProviderName.of(body.text("providerName")).orElseGet(() -> {
                if (!body.isAbsent("providerName")) {
                    body.refuse("providerName", "Invalid option: expected one of \"google\"|\"oidc\"|\"saml\"");
                }
                return ProviderName.GOOGLE;
            });
            return new Answer(
                    provider,
                    body.text("code", 1, CODE_LENGTH_MAX),
                    body.optionalText("state").orElse(""),
                    body.isAbsent("iss") ? Optional.empty() : Optional.of(body.text("iss", 1, ISSUER_LENGTH_MAX)));
        }
    }

    private Future<ApiReply> begin(ApiCall call, ProviderName provider) {
        limit.admit(call.context());
        return bus.ask(new SignOns.Begin(provider), call.deadlineMs()).map(begun -> {
            call.context().response().addCookie(cookie(begun.ticket()).setMaxAge(SignOnState.LIFETIME.toSeconds()));
            return ApiReply.ok(Json.object().put("loginUrl", begun.address()));
        });
    }

    private Cookie cookie(String ticket) {
        return Cookie.cookie(COOKIE, ticket)
                .setPath(path(COOKIE_PATH))
                .setHttpOnly(true)
                .setSecure(isSecure())
                .setSameSite(CookieSameSite.LAX);
    }

    /** The ticket is valid for one attempt, successful or not. */
    private Future<ApiReply> claim(ApiCall call, Answer answer) {
        limit.admit(call.context());
        var cookie = call.context().request().getCookie(COOKIE);
        var ticket = cookie == null ? "" : cookie.getValue();
        call.context().response().addCookie(cookie("").setMaxAge(0));
        return bus.ask(
                        new SignOns.Claim(
                                call.principal(),
                                answer.provider(),
                                answer.code(),
                                answer.state(),
                                answer.issuer(),
                                sessions.isAsked(call.context().request()),
                                ticket),
                        call.deadlineMs())
                .map(session -> sessions.answer(call.context(), session.toJson()));
    }

    private Future<ApiReply> redirect(ApiCall call, ProviderName provider) {
        limit.admit(call.context());
        return bus.ask(new SignOns.Begin(provider), call.deadlineMs()).map(begun -> {
            if (isSecure()) {
                call.context()
                        .response()
                        .addCookie(samlCookie(begun.ticket()).setMaxAge(SignOnState.LIFETIME.toSeconds()));
            }
            return found(call, begun.address());
        });
    }

    /** The response is a cross-site request, for which browsers send only cookies with SameSite=None, and only over TLS. */
    private Cookie samlCookie(String question) {
        return Cookie.cookie(SAML_COOKIE, question)
                .setPath(path(SAML_COOKIE_PATH))
                .setHttpOnly(true)
                .setSecure(true)
                .setSameSite(CookieSameSite.NONE);
    }

    /** A proxy may serve this server below a path prefix. */
    private String path(String own) {
        return Optional.ofNullable(URI.create(publicUrl.get()).getRawPath()).orElse("") + own;
    }

    private boolean isSecure() {
        return publicUrl.get().startsWith("https:");
    }

    private Future<ApiReply> metadata(ApiCall call) {
        return bus.ask(new SignOns.Describe(), call.deadlineMs())
                .map(metadata -> ApiReply.of(200, "application/samlmetadata+xml", metadata));
    }

    private Future<ApiReply> consume(ApiCall call, String response) {
        limit.admit(call.context());
        var cookie = call.context().request().getCookie(SAML_COOKIE);
        var question = cookie == null ? "" : cookie.getValue();
        return bus.ask(
                        new SignOns.Consume(
                                call.principal(), response, isSecure() ? Optional.of(question) : Optional.empty()),
                        call.deadlineMs())
                .map(session -> handOver(call, session.toJson()));
    }

    /**
     * A provider's response is a cross-site request, so it opens no session itself (login CSRF): an attacker could sign a
     * browser in to the attacker's account. The token waits in a cookie for the page that began the sign-on.
     */
    private ApiReply handOver(ApiCall call, ObjectNode session) {
        var token = session.path("token").asText();
        session.remove("token");
        call.context().response().addCookie(handOverCookie(token).setMaxAge(HAND_OVER_SECONDS_MAX));
        return found(
                call,
                publicUrl.get() + "/authenticate?response="
                        + URLEncoder.encode(Json.text(session), StandardCharsets.UTF_8));
    }

    private Cookie handOverCookie(String token) {
        return Cookie.cookie(HAND_OVER_COOKIE, token)
                .setPath(path(HAND_OVER_PATH))
                .setHttpOnly(true)
                .setSecure(isSecure())
                .setSameSite(CookieSameSite.STRICT);
    }

    /** Exchanges the waiting token for a session, for the page of this server. */
    private Future<ApiReply> takeOver(ApiCall call) {
        var request = call.context().request();
        sessions.checkOwnPage(request);
        var waiting = request.getCookie(HAND_OVER_COOKIE);
        if (waiting == null || waiting.getValue().isEmpty()) {
            return Future.failedFuture(
                    ApiException.of(ErrorCode.AUTHENTICATION, "expected a sign-on code of the last two minutes"));
        }
        call.context().response().addCookie(handOverCookie("").setMaxAge(0));
        sessions.open(call.context(), waiting.getValue());
        return Future.succeededFuture(ApiReply.empty());
    }

    /** Forbids caches and referrers for an address that carries a session. */
    private static ApiReply found(ApiCall call, String address) {
        call.context()
                .response()
                .putHeader("Location", address)
                .putHeader("Cache-Control", "no-store")
                .putHeader("Referrer-Policy", "no-referrer");
        return new ApiReply(302, null, null);
    }
}
