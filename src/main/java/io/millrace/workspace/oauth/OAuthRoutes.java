package io.millrace.workspace.oauth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;

/** OAuth clients of a platform, and the authorization of a user (contract admin-api 7.7, 27). */
public final class OAuthRoutes implements RouteGroup {
    private static final int PAGE_LIMIT_DEFAULT = 10;
    private static final int NAME_LENGTH_MAX = 255;

    private final Bus bus;

    public OAuthRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.post("/v1/oauth-apps", Access.platformAdminUsers(), NewApp::read, this::save);
        routes.get(
                "/v1/oauth-apps", Access.platformUsers(), input -> input.query().page(PAGE_LIMIT_DEFAULT), this::list);
        routes.get(
                "/v1/oauth-apps/setup",
                Access.platformUsers(),
                input -> input.query().text("pieceName", 1, NAME_LENGTH_MAX),
                this::setup);
        routes.delete("/v1/oauth-apps/:id", Access.platformAdminUsers(), input -> input.id("id"), this::delete);
        routes.post(
                "/v1/app-connections/oauth2/authorization-url",
                Access.platformUsers(),
                OAuthRoutes::readAuthorization,
                this::authorizationUrl);
        routes.alsoAtRoot(RoutingContext::next).rawGet("/redirect", RedirectPageRoutes::show);
    }

    private record NewApp(String pieceName, String clientId, String clientSecret) {
        static NewApp read(Input input) {
            var body = input.body();
            return new NewApp(
                    body.text("pieceName", 1, NAME_LENGTH_MAX),
                    body.text("clientId", 1, Integer.MAX_VALUE),
                    body.text("clientSecret", 1, Integer.MAX_VALUE));
        }
    }

    private record Destination(
            String pieceName,
            Optional<String> pieceVersion,
            String clientId,
            String redirectUrl,
            Optional<List<String>> scopes,
            Optional<ObjectNode> props) {}

    private static Destination readAuthorization(Input input) {
        var body = input.body();
        body.optionalText("projectId", Ids.PATTERN);
        return new Destination(
                body.text("pieceName", 1, NAME_LENGTH_MAX),
                body.optionalText("pieceVersion"),
                body.text("clientId", 1, Integer.MAX_VALUE),
                body.text("redirectUrl", 1, Integer.MAX_VALUE),
                body.optionalTexts("scopes"),
                body.optionalObject("props"));
    }

    private Future<ApiReply> save(ApiCall call, NewApp app) {
        return bus.ask(
                        new OAuthApps.Save(call.principal(), app.pieceName(), app.clientId(), app.clientSecret()),
                        call.deadlineMs())
                .map(saved -> ApiReply.ok(saved.toJson()));
    }

    private Future<ApiReply> list(ApiCall call, PageRequest page) {
        return bus.ask(new OAuthApps.ListOf(call.principal(), page), call.deadlineMs())
                .map(found -> ApiReply.page(found, OAuthApp::toJson));
    }

    private Future<ApiReply> setup(ApiCall call, String pieceName) {
        return bus.ask(new OAuthApps.FindSetup(call.principal(), pieceName), call.deadlineMs())
                .map(ApiReply::ok);
    }

    private Future<ApiReply> delete(ApiCall call, String id) {
        return bus.ask(new OAuthApps.Delete(call.principal(), id), call.deadlineMs())
                .map(_ -> ApiReply.okEmpty());
    }

    private Future<ApiReply> authorizationUrl(ApiCall call, Destination wanted) {
        return bus.ask(
                        new OAuthApps.FindAuthorizationUrl(
                                call.principal(),
                                wanted.pieceName(),
                                wanted.pieceVersion(),
                                wanted.clientId(),
                                wanted.redirectUrl(),
                                wanted.scopes(),
                                wanted.props()),
                        call.deadlineMs())
                .map(ApiReply::ok);
    }
}
