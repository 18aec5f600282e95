package io.millrace.workspace.invitation;

import io.millrace.base.access.Access;
import io.millrace.base.access.Gate;
import io.millrace.base.access.Permission;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.util.Optional;

/** Routes of invitations (seed endpoint 11, contract admin-api 16). The required permission depends on the target. */
public final class InvitationRoutes implements RouteGroup {
    private static final int PAGE_LIMIT_DEFAULT = 10;

    private final Bus bus;

    public InvitationRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.post("/v1/user-invitations", Access.platform(), InvitationRoutes::readOffer, this::create);
        routes.get("/v1/user-invitations", Access.platform(), ListQuery::read, this::list);
        routes.post(
                "/v1/user-invitations/accept",
                Access.everybody(),
                input -> new Invitations.Accept(input.body().text("invitationToken")),
                this::accept);
        routes.post(
                "/v1/user-invitations/check",
                Access.everybody(),
                input -> new Invitations.CheckLink(input.body().text("invitationToken")),
                (call, check) -> bus.ask(check, call.deadlineMs())
                        .map(state -> ApiReply.ok(Json.object().put("state", state.name()))));
        routes.delete("/v1/user-invitations/:id", Access.platform(), input -> input.id("id"), this::delete);
    }

    /** Offer of the body; empty when its type was refused, as the type decides about the other required fields. */
    private static Optional<Invitations.Offer> readOffer(Input input) {
        var body = input.body();
        var email = body.email("email");
        return body.soundOption("type", InvitationType.class).map(type -> switch (type) {
            case PLATFORM -> new Invitations.Offer.ToPlatform(email, body.option("platformRole", PlatformRole.class));
            case PROJECT ->
                new Invitations.Offer.ToProject(email, body.text("projectId", Ids.PATTERN), body.text("projectRole"));
        });
    }

    private record ListQuery(
            Optional<InvitationType> type,
            Optional<InvitationStatus> status,
            Optional<String> projectId,
            PageRequest page) {
        static ListQuery read(Input input) {
            var query = input.query();
            return new ListQuery(
                    query.optionalOption("type", InvitationType.class),
                    query.optionalOption("status", InvitationStatus.class),
                    query.optionalText("projectId", Ids.PATTERN),
                    query.page(PAGE_LIMIT_DEFAULT));
        }
    }

    private Future<ApiReply> create(ApiCall call, Optional<Invitations.Offer> read) {
        var offer = read.orElseThrow(() -> new IllegalStateException("expected a refused request, found no offer"));
        return mayInvite(call, offer)
                .compose(_ -> bus.ask(new Invitations.Create(call.principal(), offer), call.deadlineMs()))
                .map(invited -> {
                    var json = invited.invitation().toJson();
                    invited.link().ifPresent(link -> json.put("link", link));
                    return ApiReply.created(json);
                });
    }

    private Future<Nothing> mayInvite(ApiCall call, Invitations.Offer offer) {
        return switch (offer) {
            case Invitations.Offer.ToPlatform _ -> administrates(call.principal());
            case Invitations.Offer.ToProject project -> enter(call, project.projectId(), Permission.WRITE_INVITATION);
        };
    }

    private Future<Nothing> enter(ApiCall call, String projectId, Permission permission) {
        return bus.ask(new Gate.Enter(call.principal(), projectId, permission), call.deadlineMs());
    }

    private static Future<Nothing> administrates(Principal by) {
        return by.administersPlatform()
                ? Future.succeededFuture(Nothing.DONE)
                : Future.failedFuture(
                        ApiException.of(ErrorCode.AUTHORIZATION, "only administrators can invite to the platform"));
    }

    private Future<ApiReply> list(ApiCall call, ListQuery listing) {
        var seen = listing.projectId()
                .map(projectId -> enter(call, projectId, Permission.READ_INVITATION))
                .orElseGet(() -> Future.succeededFuture(Nothing.DONE));
        return seen.compose(_ -> bus.ask(
                        new Invitations.ListVisible(
                                call.principal(),
                                listing.type(),
                                listing.status(),
                                listing.projectId(),
                                listing.page()),
                        call.deadlineMs()))
                .map(page -> ApiReply.page(page, Invitation::toJson));
    }

    private Future<ApiReply> accept(ApiCall call, Invitations.Accept accept) {
        return bus.ask(accept, call.deadlineMs())
                .map(registered -> ApiReply.ok(Json.object().put("registered", registered)));
    }

    private Future<ApiReply> delete(ApiCall call, String id) {
        return bus.ask(new Invitations.Find(call.principal(), id), call.deadlineMs())
                .compose(invitation -> invitation
                        .place()
                        .map(place -> enter(call, place.projectId(), Permission.WRITE_INVITATION))
                        .orElseGet(() -> administrates(call.principal())))
                .compose(_ -> bus.ask(new Invitations.Delete(call.principal(), id), call.deadlineMs()))
                .map(_ -> ApiReply.empty());
    }
}
