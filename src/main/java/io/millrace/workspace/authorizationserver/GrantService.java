package io.millrace.workspace.authorizationserver;

import io.millrace.account.identity.AccessTokens;
import io.millrace.base.access.Gate;
import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.ExpiryTime;
import io.millrace.base.secret.Hashes;
import io.millrace.workspace.project.ProjectFilter;
import io.millrace.workspace.project.ProjectView;
import io.millrace.workspace.project.Projects;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Handles {@link Grants} up to the consent: identity of the client, its request, and the user's permission to consent. */
public final class GrantService implements BusService {
    /** Lifetime of a consent page and of an authorization code. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final String REQUEST_TYPE = "mcp_auth_request";
    private static final int CLIENT_ID_LENGTH = 32;
    private static final int SECRET_LENGTH = 43;
    private static final int CODE_LENGTH = 64;
    private static final long DEADLINE_MS = 10_000;

    /** Number of projects, oldest first, that are searched for one that is open to MCP. */
    private static final int PROJECTS_LOOKED_AT_MAX = 100;

    private final Bus bus;
    private final Database database;
    private final AccessTokens tokens;
    private final InstantSource clock;
    private final ClientStore clients = new ClientStore();
    private final GrantStore store = new GrantStore();

    public GrantService(Bus bus, Database database, AccessTokens tokens, InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.tokens = tokens;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Grants.Register.class, this::register);
        bus.serve(Grants.Authorize.class, this::authorize);
        bus.serve(Grants.ShowConsent.class, this::showConsent);
        bus.serve(Grants.Approve.class, this::approve);
    }

    private Future<ClientRegistration> register(Grants.Register ask) {
        var grantRequest = ask.grantRequest();
        var secret = grantRequest.authentication() == ClientAuthentication.NONE
                ? Optional.<String>empty()
                : Optional.of(Ids.random(SECRET_LENGTH));
        var client = new OAuthClient(
                Ids.random(CLIENT_ID_LENGTH),
                clock.instant(),
                grantRequest.name(),
                grantRequest.redirectUris(),
                grantRequest.grantTypes(),
                grantRequest.authentication(),
                secret.map(Hashes::sha256Hex));
        return database.inTransaction(tx -> clients.insert(tx, client)).map(new ClientRegistration(client, secret));
    }

    private Future<String> authorize(Grants.Authorize ask) {
        var grantRequest = ask.grantRequest();
        return client(grantRequest.clientId()).map(client -> {
            if (!isRegistered(client, grantRequest.redirectUri())) {
                throw ApiException.of(ErrorCode.OAUTH_INVALID_REQUEST, "redirect_uri is not one that was registered");
            }
            if (grantRequest
                    .resource()
                    .filter(resource -> !ask.issuer().serves(resource))
                    .isPresent()) {
                throw ApiException.of(ErrorCode.OAUTH_INVALID_TARGET, "resource is not an MCP server of this server");
            }
            return tokens.issue(
                    REQUEST_TYPE, grantRequest.acceptedBy(ask.issuer()).toClaims(), PATIENCE);
        });
    }

    /** The rules are checked again: an earlier release may have accepted the registration. */
    private static boolean isRegistered(OAuthClient client, String redirectUri) {
        return RedirectUri.problemOf(redirectUri).isEmpty()
                && client.redirectUris().stream().anyMatch(registered -> RedirectUri.matches(registered, redirectUri));
    }

    private Future<Consent> showConsent(Grants.ShowConsent ask) {
        var request = request(ask.authRequestId());
        return client(request.clientId()).map(client -> new Consent(client, request));
    }

    private Future<OAuthClient> client(String id) {
        return database.read(tx -> clients.find(tx, id))
                .map(found ->
                        found.orElseThrow(() -> ApiException.of(ErrorCode.OAUTH_INVALID_CLIENT, "unknown client")));
    }

    private AuthorizationRequest request(String authRequestId) {
        return tokens.verify(REQUEST_TYPE, authRequestId)
                .map(AuthorizationRequest::ofClaims)
                .orElseThrow(() -> ApiException.of(
                        ErrorCode.OAUTH_INVALID_REQUEST, "the authorization request is unknown or has expired"));
    }

    private Future<String> approve(Grants.Approve ask) {
        var request = request(ask.authRequestId());
        var only = request.resource().flatMap(Issuer::projectOf);
        if (only.isPresent() && ask.projectId().isPresent() && !only.equals(ask.projectId())) {
            return Future.failedFuture(
                    ApiException.of(ErrorCode.OAUTH_ACCESS_DENIED, "the client requests another project"));
        }
        return approve(
                new Grants.Approve(
                        ask.by(), ask.authRequestId(), ask.projectId().or(() -> only)),
                request);
    }

    private Future<String> approve(Grants.Approve ask, AuthorizationRequest request) {
        var code = Ids.random(CODE_LENGTH);
        return mayApprove(ask)
                .compose(_ -> database.inTransaction(tx -> ExpiryTime.now(tx, clock)
                        .compose(now -> store.deleteExpired(tx, now))
                        .compose(_ -> store.insert(tx, fresh(ask, request, Hashes.sha256Hex(code))))))
                .map(_ -> request.granted(code));
    }

    private Grant fresh(Grants.Approve ask, AuthorizationRequest request, String codeHash) {
        var now = clock.instant();
        return new Grant(
                Ids.next(),
                now,
                request.clientId(),
                ask.by().actingUser(),
                ask.by().platform(),
                ask.projectId(),
                request.resource(),
                request.redirectUri(),
                request.codeChallenge(),
                codeHash,
                false,
                now.plus(PATIENCE),
                false);
    }

    private Future<Void> mayApprove(Grants.Approve ask) {
        return ask.projectId()
                .map(projectId -> entersWithMcp(ask.by(), projectId))
                .orElseGet(() -> opensWholePlatform(ask.by()))
                .compose(may -> may
                        ? Future.succeededFuture()
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.OAUTH_ACCESS_DENIED, "the user has no project that is open to MCP")));
    }

    private Future<Boolean> entersWithMcp(Principal by, String projectId) {
        return bus.ask(new Gate.Enter(by, projectId, Permission.READ_MCP), DEADLINE_MS)
                .map(true)
                .recover(failure -> isRefusal(failure) ? Future.succeededFuture(false) : Future.failedFuture(failure));
    }

    private static boolean isRefusal(Throwable failure) {
        return failure instanceof ApiException refused
                && List.of(ErrorCode.AUTHORIZATION, ErrorCode.PERMISSION_DENIED, ErrorCode.ENTITY_NOT_FOUND)
                        .contains(refused.code());
    }

    private Future<Boolean> opensWholePlatform(Principal by) {
        return database.read(tx -> store.isEmbedded(tx, by.actingUser()))
                .compose(isEmbedded -> isEmbedded ? Future.succeededFuture(false) : entersAnyWithMcp(by));
    }

    private Future<Boolean> entersAnyWithMcp(Principal by) {
        var all = new ProjectFilter(Optional.empty(), Optional.empty(), Optional.empty(), List.of());
        var page = new PageRequest(PROJECTS_LOOKED_AT_MAX, null, false);
        return bus.ask(new Projects.ListVisible(by, all, page), DEADLINE_MS)
                .map(Page::data)
                .compose(projects -> entersOneOf(by, projects.iterator()));
    }

    private Future<Boolean> entersOneOf(Principal by, Iterator<ProjectView> projects) {
        return projects.hasNext()
                ? entersWithMcp(by, projects.next().project().id())
                        .compose(enters -> enters ? Future.succeededFuture(true) : entersOneOf(by, projects))
                : Future.succeededFuture(false);
    }
}
