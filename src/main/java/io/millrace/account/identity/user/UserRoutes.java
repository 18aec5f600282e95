package io.millrace.account.identity.user;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.UserStatus;
import io.millrace.account.identity.UserView;
import io.millrace.account.platform.Picture;
import io.millrace.base.access.Access;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Change;
import io.millrace.base.core.Json;
import io.millrace.base.core.PageRequest;
import io.millrace.base.http.Call;
import io.millrace.base.http.Input;
import io.millrace.base.http.Reply;
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
                (call, _) -> find(call, ((Principal.User) call.principal()).id()));
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
            Change<String> externalId) {
        static UserChanges read(Input input) {
            var body = input.body();
            return new UserChanges(
                    input.id("id"),
                    body.optionalOption("status", UserStatus.class),
                    body.optionalOption("platformRole", PlatformRole.class),
                    body.changedName("externalId"));
        }
    }

    private static Change<Picture> readPicture(Input input) {
        return Picture.read(input.body(), "profilePicture").map(Change::to).orElseGet(Change::keep);
    }

    private Future<Reply> changeMe(Call call, Change<Picture> picture) {
        return bus.ask(new Users.ChangeMe(call.principal(), picture), call.deadlineMs())
                .map(person -> Reply.ok(person.toJson()));
    }

    private Future<Reply> hidePicture(Call call) {
        return bus.ask(new Users.ChangeMe(call.principal(), Change.to(null)), call.deadlineMs())
                .map(_ -> Reply.ok(Json.object().put("success", true)));
    }

    private Future<Reply> list(Call call, ListQuery listing) {
        return bus.ask(new Users.ListAll(call.principal(), listing.externalId(), listing.page()), call.deadlineMs())
                .map(page -> Reply.page(page, UserView::toJson));
    }

    private Future<Reply> find(Call call, String id) {
        return bus.ask(new Users.Find(call.principal(), id), call.deadlineMs())
                .compose(user -> bus.ask(new Users.FindBadges(id), call.deadlineMs())
                        .map(badges -> Reply.ok(withBadges(user.toJson(), badges))));
    }

    private static ObjectNode withBadges(ObjectNode user, List<Badge> badges) {
        var list = user.putArray("badges");
        badges.forEach(badge -> list.add(badge.toJson()));
        return user;
    }

    private Future<Reply> update(Call call, UserChanges changes) {
        var update = new Users.Update(
                call.principal(), changes.userId(), changes.status(), changes.platformRole(), changes.externalId());
        return bus.ask(update, call.deadlineMs()).map(user -> Reply.ok(user.toJson()));
    }

    private Future<Reply> delete(Call call, String id) {
        return bus.ask(new Users.Delete(call.principal(), id), call.deadlineMs())
                .map(_ -> Reply.empty());
    }
}
