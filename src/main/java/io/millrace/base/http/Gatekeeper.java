package io.millrace.base.http;

import io.millrace.base.access.Access;
import io.millrace.base.access.Access.ProjectSource;
import io.millrace.base.access.Gate;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Set;
import java.util.function.Function;

/** Steps 4 to 7 of the order of checks (contract admin-api 1.2): authentication, project, kind of principal, permission. */
public final class Gatekeeper {
    private static final String BEARER = "Bearer ";
    private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD);

    private final Bus bus;
    private final ClientAddress clients;
    private final SessionCookie sessions;
    private final ApiRateLimit rates;
    private final long deadlineMs;

    public Gatekeeper(Bus bus, ClientAddress clients, SessionCookie sessions, ApiRateLimit rates, long deadlineMs) {
        this.bus = bus;
        this.clients = clients;
        this.sessions = sessions;
        this.rates = rates;
        this.deadlineMs = deadlineMs;
    }

    /** An admitted caller and its project (null where the rule names none). */
    record CallerAdmission(Principal principal, String projectId) {}

    /** The session of the page that opens a socket; empty for a cross-origin page or without a session. */
    String sessionOf(RoutingContext context) {
        return sessions.tokenOfHandshake(context.request()).orElse("");
    }

    String addressOf(RoutingContext context) {
        return clients.of(context);
    }

    /**
     * Checks before a large body is read that its caller may send one: a public route takes small bodies only, and any other
     * route takes large ones of callers that it may admit.
     */
    Future<Void> mayBringMuch(Access access, RoutingContext context) {
        return switch (access) {
            case Access.Public _ ->
                Future.failedFuture(ApiException.of(ErrorCode.BODY_TOO_LARGE, "Request body is too large"));
            case Access.Unscoped(var kinds) -> known(access, kinds, context);
            case Access.PlatformScoped(var kinds) -> known(access, kinds, context);
            case Access.PlatformAdmin(var kinds) -> known(access, kinds, context);
            case Access.ProjectScoped project -> known(access, project.kinds(), context);
        };
    }

    private Future<Void> known(Access access, Set<Principal.Kind> kinds, RoutingContext context) {
        return identify(access, context.request(), clients.of(context)).compose(principal -> ofKind(kinds, principal));
    }

    void admit(RoutingContext context) {
        rates.admit(context, clients);
    }

    Future<CallerAdmission> pass(Access access, RoutingContext context, Input input) {
        var address = clients.of(context);
        if (access instanceof Access.Public) {
            return Future.succeededFuture(new CallerAdmission(new Principal.Anonymous(address), null));
        }
        return identify(access, context.request(), address).compose(principal -> {
            rates.admit(context, principal);
            return pass(access, principal, input)
                    .compose(passed -> withinScopes(access, context, principal).map(passed));
        });
    }

    /** Checks the caller of an open stream again: the token can have been revoked, and the permission withdrawn. */
    Future<CallerAdmission> passAgain(Access access, RoutingContext context, Input input) {
        return identify(access, context.request(), clients.of(context))
                .compose(principal -> pass(access, principal, input));
    }

    /** Scopes of a project's key are checked with the project's permission; here those of the platform. */
    private static Future<Void> withinScopes(Access access, RoutingContext context, Principal principal) {
        var ofPlatform = access instanceof Access.PlatformScoped || access instanceof Access.PlatformAdmin;
        if (!ofPlatform || !(principal instanceof Principal.Service service)) {
            return Future.succeededFuture();
        }
        var reads = READING.contains(context.request().method());
        return service.scopes()
                .missingForPlatform(reads)
                .map(scope -> Gatekeeper.<Void>refuse("the api key lacks the scope " + scope))
                .orElseGet(Future::succeededFuture);
    }

    /** Identifies the caller by the token of the request, else by the session of the page that sent it. */
    private Future<Principal> identify(Access access, HttpServerRequest request, String address) {
        var authorization = request.getHeader("Authorization");
        if (authorization != null && authorization.startsWith(BEARER)) {
            return identify(authorization.substring(BEARER.length()), address);
        }
        var nobody = new Principal.Anonymous(address);
        return sessions.tokenOf(request)
                .map(token -> identify(token, address).recover(failure -> withoutSession(access, failure, nobody)))
                .orElseGet(() -> Future.succeededFuture(nobody));
    }

    private Future<Principal> identify(String token, String address) {
        return bus.ask(new Gate.Identify(token), deadlineMs).map(principal -> principal.from(address));
    }

    /** A browser sends an expired session by itself: public routes stay open to it. */
    private static Future<Principal> withoutSession(Access access, Throwable failure, Principal nobody) {
        return access instanceof Access.Unscoped(var kinds)
                        && kinds.contains(Principal.Kind.UNKNOWN)
                        && failure instanceof ApiException refused
                        && !ApiException.isUnavailable(refused)
                ? Future.succeededFuture(nobody)
                : Future.failedFuture(failure);
    }

    private Future<CallerAdmission> pass(Access access, Principal principal, Input input) {
        return switch (access) {
            case Access.Public _ -> Future.succeededFuture(new CallerAdmission(principal, null));
            case Access.Unscoped(var kinds) -> ofKind(kinds, principal).map(new CallerAdmission(principal, null));
            case Access.PlatformScoped(var kinds) -> ofKind(kinds, principal).map(new CallerAdmission(principal, null));
            case Access.PlatformAdmin(var kinds) ->
                ofKind(kinds, principal)
                        .compose(_ -> administrator(principal))
                        .map(new CallerAdmission(principal, null));
            case Access.ProjectScoped project -> intoProject(project, principal, input);
        };
    }

    private Future<CallerAdmission> intoProject(Access.ProjectScoped rule, Principal principal, Input input) {
        return projectOf(rule.source(), principal, input)
                .compose(projectId -> ofKind(rule.kinds(), principal).compose(_ -> enter(rule, principal, projectId)));
    }

    private Future<CallerAdmission> enter(Access.ProjectScoped rule, Principal principal, String projectId) {
        if (projectId.isEmpty()) {
            return refuse("Project ID is required");
        }
        return bus.ask(new Gate.Enter(principal, projectId, rule.permission()), deadlineMs)
                .map(new CallerAdmission(principal, projectId));
    }

    /** A piece is bound to its project; where a row is named, that must be the project of the row (contract admin-api 1.9). */
    private Future<String> projectOf(ProjectSource source, Principal principal, Input input) {
        return switch (source) {
            case ProjectSource.Body _, ProjectSource.Query _
            when principal instanceof Principal.Engine engine -> Future.succeededFuture(engine.projectId());
            case ProjectSource.Body _ -> Future.succeededFuture(input.projectInBody());
            case ProjectSource.Query _ -> Future.succeededFuture(input.projectInQuery());
            case ProjectSource.Path(var parameter) -> Future.succeededFuture(input.parameter(parameter));
            case ProjectSource.Row(var parameter, var lookup) ->
                bus.ask(lookup.apply(input.parameter(parameter)), deadlineMs);
            case ProjectSource.RowInBody(var field, var lookup) -> projectOfRow(input.inBody(field), lookup);
            case ProjectSource.RowInQuery(var parameter, var lookup) -> projectOfRow(input.inQuery(parameter), lookup);
        };
    }

    private Future<String> projectOfRow(String id, Function<String, BusRequest<String>> lookup) {
        return id.isEmpty() ? Future.succeededFuture("") : bus.ask(lookup.apply(id), deadlineMs);
    }

    private static Future<Void> ofKind(Set<Principal.Kind> kinds, Principal principal) {
        return kinds.contains(principal.kind())
                ? Future.succeededFuture()
                : refuse("principal is not allowed for this route");
    }

    private static Future<Void> administrator(Principal principal) {
        return principal.administersPlatform()
                ? Future.succeededFuture()
                : refuse("User is not an admin of the platform");
    }

    private static <T> Future<T> refuse(String message) {
        return Future.failedFuture(ApiException.of(ErrorCode.AUTHORIZATION, message));
    }
}
