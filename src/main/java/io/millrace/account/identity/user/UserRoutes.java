package io.millrace.account.identity.user;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.UserStatus;
import io.millrace.account.identity.UserView;
import io.millrace.account.platform.Picture;
import io.millrace.base.access.Access;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Routes of users (seed endpoint 12, contract admin-api 15). */
public final class UserRoutes implements RouteGroup {
    private static final int PAGE_LIMIT_DEFAULT = 10;

    private final Bus bus;

    public UserRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/users", Access.platform(), ListQuery::read, this::list);
        routes.get(
                "/v1/users/me",
                Access.platformUsers(),
                _ -> true,
                (call, _) -> find(call, ((Principal.SignedInUser) call.principal()).id()));
        routes.postForm("/v1/users/me", Access.platformUsers(), UserRoutes::readPicture, this::changeMe);
        routes.delete(
                "/v1/users/me/profile-picture", Access.platformUsers(), _ -> true, (call, _) -> hidePicture(call));
        routes.get("/v1/users/:id", Access.platform(), input -> input.id("id"), this::find);
        routes.post("/v1/users/:id", Access.platformAdmin(), UserChanges::read, this::update);
        routes.delete("/v1/users/:id", Access.platformAdmin(), input -> input.id("id"), this::delete);
    }

    private record ListQuery(Optional<String> externalId, PageRequest page) {
        static ListQuery read(Input input) {
            var query = input.query();
            return new ListQuery(query.optionalText("externalId"), query.page(PAGE_LIMIT_DEFAULT));
        }
    }

    private record UserChanges(
            String userId,
            Optional<UserStatus> status,
            Optional<PlatformRole> platformRole,
            FieldChange<String> externalId) {
        static UserChanges read(Input input) {
            var body = input.body();
            return new UserChanges(
                    input.id("id"),
                    body.optionalOption("status", UserStatus.class),
                    body.optionalOption("platformRole", PlatformRole.class),
                    body.changedName("externalId"));
        }
    }

    private static FieldChange<Picture> readPicture(Input input) {
        return Picture.read(input.body(), "profilePicture").map(FieldChange::to).orElseGet(FieldChange::keep);
    }

    private Future<ApiReply> changeMe(ApiCall call, FieldChange<Picture> picture) {
        return bus.ask(new Users.ChangeMe(call.principal(), picture), call.deadlineMs())
                .map(person -> ApiReply.ok(person.toJson()));
    }

    private Future<ApiReply> hidePicture(ApiCall call) {
        return bus.ask(new Users.ChangeMe(call.principal(), FieldChange.to(null)), call.deadlineMs())
                .map(_ -> ApiReply.ok(Json.object().put("success", true)));
    }

    private Future<ApiReply> list(ApiCall call, ListQuery listing) {
        return bus.ask(new Users.ListAll(call.principal(), listing.externalId(), listing.page()), call.deadlineMs())
                .map(page -> ApiReply.page(page, UserView::toJson));
    }

    private Future<ApiReply> find(ApiCall call, String id) {
        return bus.ask(new Users.Find(call.principal(), id), call.deadlineMs())
                .compose(user -> bus.ask(new Users.FindBadges(id), call.deadlineMs())
                        .map(badges -> ApiReply.ok(withBadges(user.toJson(), badges))));
    }

    private static ObjectNode withBadges(ObjectNode user, List<Badge> badges) {
        var list = user.putArray("badges");
        badges.forEach(badge -> list.add(badge.toJson()));
        return user;
    }

    private Future<ApiReply> update(ApiCall call, UserChanges changes) {
        var update = new Users.Update(
                call.principal(), changes.userId(), changes.status(), changes.platformRole(), changes.externalId());
        return bus.ask(update, call.deadlineMs()).map(user -> ApiReply.ok(user.toJson()));
    }

    private Future<ApiReply> delete(ApiCall call, String id) {
        return bus.ask(new Users.Delete(call.principal(), id), call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }
}
