package io.millrace.account.identity.user;

import io.millrace.account.identity.AccountStore;
import io.millrace.account.identity.IdentityProvider;
import io.millrace.account.identity.PersonalProjects;
import io.millrace.account.identity.User;
import io.millrace.account.identity.UserIdentity;
import io.millrace.account.identity.UserStatus;
import io.millrace.account.identity.UserView;
import io.millrace.account.platform.Picture;
import io.millrace.account.platform.PlatformService;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.ConstraintViolation;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Handles {@link Users}; modules above use users in their own transactions. */
public final class UserService implements BusService {
    private final Bus bus;
    private final Database database;
    private final PlatformService platforms;
    private final PersonalProjects projects;
    private final InstantSource clock;
    private final UserStore store = new UserStore();
    private final AccountStore accounts = new AccountStore();

    public UserService(
            Bus bus, Database database, PlatformService platforms, PersonalProjects projects, InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.platforms = platforms;
        this.projects = projects;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Users.ListAll.class, this::listAll);
        bus.serve(Users.Find.class, this::find);
        bus.serve(Users.Update.class, this::update);
        bus.serve(Users.ChangeMe.class, this::changeMe);
        bus.serve(Users.Delete.class, this::delete);
    }

    public Future<Optional<User>> findByEmail(Tx tx, String platformId, String email) {
        return store.findByEmail(tx, platformId, email).map(found -> found.map(UserView::user));
    }

    /** Changes the platform role of a user; the owner of the platform stays administrator. */
    public Future<Void> changeRole(Tx tx, User user, PlatformRole role) {
        return platforms.find(tx, user.platformId()).compose(platform -> {
            if (platform.ownerId().equals(user.id())) {
                return Future.succeededFuture();
            }
            return store.update(tx, user.changed(user.status(), role, user.externalId(), clock.instant()));
        });
    }

    /**
     * Administrators, and users who may invite others in some project, may list users; users of an embedding product may not
     * (contract 1.9, non-embed).
     */
    private Future<Page<UserView>> listAll(Users.ListAll ask) {
        return database.read(tx -> mayList(tx, ask.by())
                .compose(may -> may
                        ? store.page(tx, ask.by().platform(), ask.externalId(), ask.page())
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.AUTHORIZATION, "listing users needs the permission to invite users"))));
    }

    private Future<Boolean> mayList(Tx tx, Principal by) {
        if (by.administersPlatform() || !(by instanceof Principal.SignedInUser user)) {
            return Future.succeededFuture(by.administersPlatform());
        }
        return isEmbedded(tx, user)
                .compose(embedded -> embedded ? Future.succeededFuture(false) : projects.mayInviteSomewhere(tx, user));
    }

    private Future<Boolean> isEmbedded(Tx tx, Principal.SignedInUser user) {
        return accounts.findByUser(tx, user.id())
                .map(found -> found.filter(account -> account.identity().provider() == IdentityProvider.JWT)
                        .isPresent());
    }

    private Future<UserView> find(Users.Find ask) {
        return database.read(tx -> store.find(tx, ask.by().platform(), ask.userId()))
                .map(found -> required(found, ask.userId()));
    }

    private static UserView required(Optional<UserView> found, String userId) {
        return found.orElseThrow(() -> ApiException.notFound("user", userId));
    }

    private Future<UserView> update(Users.Update ask) {
        return database.inTransaction(tx -> toChange(tx, ask.by(), ask.userId())
                        .compose(view -> refuseOwner(
                                        tx,
                                        view,
                                        ask.status()
                                                        .filter(UserStatus.INACTIVE::equals)
                                                        .isPresent()
                                                || ask.platformRole()
                                                        .filter(role -> role != PlatformRole.ADMIN)
                                                        .isPresent())
                                .map(changed(view, ask)))
                        .compose(view -> store.update(tx, view.user()).map(view)))
                .recover(UserService::externalIdTaken);
    }

    private Future<UserProfile> changeMe(Users.ChangeMe ask) {
        return database.inTransaction(tx -> store.find(
                        tx, ask.by().platform(), ask.by().actingUser())
                .map(found -> required(found, ask.by().actingUser()))
                .compose(view -> showPicture(tx, view.user(), ask.picture()))
                .compose(_ -> accounts.findByUser(tx, ask.by().actingUser()))
                .compose(account -> store.find(tx, ask.by().platform(), ask.by().actingUser())
                        .map(view -> person(account.orElseThrow().identity(), view.orElseThrow()))));
    }

    /** Refers to the new picture before unused pictures are removed. */
    private Future<Void> showPicture(Tx tx, User user, FieldChange<Picture> picture) {
        return switch (picture) {
            case FieldChange.Keep<Picture> _ -> Future.succeededFuture();
            case FieldChange.To<Picture>(var shown) ->
                accounts.showImage(tx, user.identityId(), shown == null ? null : shown.url())
                        .compose(_ -> shown == null
                                ? platforms.dropUnusedPictures(tx, user.platformId())
                                : platforms.keepPictures(tx, user.platformId(), List.of(shown)));
        };
    }

    private static UserProfile person(UserIdentity identity, UserView view) {
        return new UserProfile(
                view.email(),
                view.firstName(),
                view.lastName(),
                identity.trackEvents(),
                identity.newsLetter(),
                view.imageUrl());
    }

    private UserView changed(UserView view, Users.Update ask) {
        var user = view.user();
        return new UserView(
                user.changed(
                        ask.status().orElse(user.status()),
                        ask.platformRole().orElse(user.role()),
                        ask.externalId().or(user.externalId()),
                        clock.instant()),
                view.email(),
                view.firstName(),
                view.lastName(),
                view.imageUrl());
    }

    private static <T> Future<T> externalIdTaken(Throwable failure) {
        return Future.failedFuture(
                failure instanceof ConstraintViolation
                        ? ApiException.of(ErrorCode.VALIDATION, "another user has this external id")
                        : failure);
    }

    private Future<UserView> toChange(Tx tx, Principal by, String userId) {
        return store.findToChange(tx, by.platform(), userId).map(found -> required(found, userId));
    }

    /** Refuses harmful changes of the owner: without an active owner a platform could not be repaired. */
    private Future<Void> refuseOwner(Tx tx, UserView view, boolean harmful) {
        if (!harmful) {
            return Future.succeededFuture();
        }
        return platforms
                .find(tx, view.user().platformId())
                .compose(platform -> platform.ownerId().equals(view.user().id())
                        ? Future.failedFuture(ApiException.of(
                                ErrorCode.VALIDATION,
                                "the owner of the platform must remain an active administrator and cannot be deleted"))
                        : Future.succeededFuture());
    }

    private Future<Nothing> delete(Users.Delete ask) {
        return database.inTransaction(tx -> remove(tx, ask.by(), ask.userId()))
                .onSuccess(Runnable::run)
                .map(Nothing.DONE);
    }

    /** Removes a user in the caller's transaction; returns the action to run after the commit. */
    public Future<Runnable> remove(Tx tx, Principal by, String userId) {
        return toChange(tx, by, userId)
                .compose(view -> refuseOwner(tx, view, true)
                        .compose(_ -> projects.retire(tx, view.user()))
                        .compose(retired -> store.delete(tx, view.user()).map(retired)))
                .map(retired -> () -> {
                    projects.remove(by.platform(), retired);
                    bus.publish(new Users.Deleted(userId, by.platform()));
                });
    }
}
