package io.millrace.workspace.invitation;

import io.millrace.account.identity.AccessTokens;
import io.millrace.account.identity.GuestList;
import io.millrace.account.identity.User;
import io.millrace.account.identity.user.UserService;
import io.millrace.account.mail.MailOutbox;
import io.millrace.account.platform.PlatformService;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.millrace.workspace.invitation.Invitations.InvitationLink;
import io.millrace.workspace.project.member.ProjectRoleService;
import io.vertx.core.Future;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Handles {@link Invitations} and redeems them on acceptance, or when the invited person signs up. */
public final class InvitationService implements BusService, GuestList {
    private final Database database;
    private final PlatformService platforms;
    private final UserService users;
    private final ProjectRoleService roles;
    private final AccessTokens tokens;
    private final MailOutbox mail;
    private final Supplier<String> publicUrl;
    private final RowBound bound;
    private final InstantSource clock;
    private final InvitationStore store;

    public InvitationService(
            Database database,
            PlatformService platforms,
            UserService users,
            ProjectRoleService roles,
            AccessTokens tokens,
            MailOutbox mail,
            Supplier<String> publicUrl,
            RowBound bound,
            InstantSource clock) {
        this.database = database;
        this.platforms = platforms;
        this.users = users;
        this.roles = roles;
        this.tokens = tokens;
        this.mail = mail;
        this.publicUrl = publicUrl;
        this.bound = bound;
        this.clock = clock;
        this.store = new InvitationStore();
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Invitations.Create.class, this::create);
        bus.serve(Invitations.ListVisible.class, this::list);
        bus.serve(Invitations.Accept.class, this::accept);
        bus.serve(Invitations.CheckLink.class, this::check);
        bus.serve(Invitations.Find.class, this::find);
        bus.serve(Invitations.Delete.class, this::delete);
    }

    @Override
    public Future<Boolean> expects(Tx tx, String platformId, String email) {
        return store.accepted(tx, platformId, email).map(accepted -> !accepted.isEmpty());
    }

    @Override
    public Future<Void> welcome(Tx tx, User user, String email) {
        return store.accepted(tx, user.platformId(), email).compose(accepted -> redeemAll(tx, user, accepted));
    }

    private Future<Void> redeemAll(Tx tx, User user, List<Invitation> invitations) {
        var done = Future.<Void>succeededFuture();
        for (var invitation : invitations) {
            done = done.compose(_ -> redeem(tx, user, invitation));
        }
        return done;
    }

    private Future<Void> redeem(Tx tx, User user, Invitation invitation) {
        var given = invitation
                .place()
                .map(place -> roles.join(
                        tx,
                        invitation.platformId(),
                        place.projectId(),
                        user.id(),
                        place.role().id()))
                .orElseGet(() ->
                        users.changeRole(tx, user, invitation.platformRole().orElseThrow()));
        return given.compose(_ -> store.delete(tx, invitation.id()));
    }

    private Future<InvitationLink> create(Invitations.Create ask) {
        return database.inTransaction(tx -> fresh(tx, ask)
                .compose(invitation -> checkGrant(tx, ask.by(), invitation).map(invitation))
                .compose(invitation -> store.upsert(tx, invitation, bound))
                .compose(invitation -> users.findByEmail(tx, invitation.platformId(), invitation.email())
                        .compose(user -> acceptedAtOnce(ask.by(), invitation, user)
                                ? checkJoin(tx, ask.by(), invitation, user)
                                        .compose(_ -> accept(tx, invitation, user))
                                        .map(done -> new InvitationLink(done, Optional.empty()))
                                : invite(tx, invitation))));
    }

    private Future<Void> checkGrant(Tx tx, Principal by, Invitation invitation) {
        return invitation
                .place()
                .map(place -> roles.checkGrant(tx, by, place.projectId(), place.role()))
                .orElseGet(Future::succeededFuture);
    }

    /** An invitation that is accepted at once replaces the role of a member. */
    private Future<Void> checkJoin(Tx tx, Principal by, Invitation invitation, Optional<User> user) {
        return invitation
                .place()
                .flatMap(place -> user.map(invited -> roles.checkJoin(tx, by, place.projectId(), invited.id())))
                .orElseGet(Future::succeededFuture);
    }

    /** Sends the link by e-mail when a mail server is configured; otherwise the inviting user passes the link on. */
    private Future<InvitationLink> invite(Tx tx, Invitation invitation) {
        var link = publicUrl.get() + "/invitation?token=" + tokens.issueInvitation(invitation.id()) + "&email="
                + URLEncoder.encode(invitation.email(), StandardCharsets.UTF_8);
        if (!mail.isConfigured()) {
            return Future.succeededFuture(new InvitationLink(invitation, Optional.of(link)));
        }
        return platforms
                .find(tx, invitation.platformId())
                .compose(platform -> store.projectName(tx, invitation)
                        .compose(project -> mail.add(
                                tx,
                                Optional.of(platform),
                                InvitationLetter.of(invitation, platform.name(), project, link),
                                AccessTokens.LIFETIME)))
                .map(new InvitationLink(invitation, Optional.empty()));
    }

    /**
     * An invitation by an API key needs no acceptance, because the owner's system has asked the person; nor does a project
     * invitation of a user of the platform.
     */
    private static boolean acceptedAtOnce(Principal by, Invitation invitation, Optional<User> user) {
        return by instanceof Principal.Service || invitation.type() == InvitationType.PROJECT && user.isPresent();
    }

    private Future<Invitation> fresh(Tx tx, Invitations.Create ask) {
        var platformId = ask.by().platform();
        return switch (ask.offer()) {
            case Invitations.Offer.ToPlatform(var email, var role) -> {
                var now = clock.instant();
                yield Future.succeededFuture(new Invitation(
                        Ids.next(),
                        now,
                        now,
                        email,
                        InvitationStatus.PENDING,
                        InvitationType.PLATFORM,
                        platformId,
                        Optional.of(role),
                        Optional.empty()));
            }
            case Invitations.Offer.ToProject project -> toProject(tx, platformId, project);
        };
    }

    private Future<Invitation> toProject(Tx tx, String platformId, Invitations.Offer.ToProject offer) {
        var now = clock.instant();
        return store.isTeamProject(tx, platformId, offer.projectId())
                .compose(isTeam -> isTeam
                        ? roles.roleByName(tx, platformId, offer.roleName())
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.AUTHORIZATION, "invitations are possible to team projects only")))
                .map(role -> new Invitation(
                        Ids.next(),
                        now,
                        now,
                        offer.email(),
                        InvitationStatus.PENDING,
                        InvitationType.PROJECT,
                        platformId,
                        Optional.empty(),
                        Optional.of(new Invitation.Membership(offer.projectId(), role))));
    }

    private Future<Invitation> accept(Tx tx, Invitation invitation, Optional<User> user) {
        var accepted = invitation.accepted(clock.instant());
        return (user.isPresent() ? redeem(tx, user.get(), accepted) : store.accept(tx, accepted)).map(accepted);
    }

    private Future<Boolean> accept(Invitations.Accept ask) {
        var id = tokens.verifyInvitation(ask.token());
        if (id.isEmpty()) {
            return invalidToken();
        }
        return database.inTransaction(tx -> store.findToChange(tx, id.get())
                .map(found -> required(found, id.get()))
                .compose(invitation -> users.findByEmail(tx, invitation.platformId(), invitation.email())
                        .compose(user -> accept(tx, invitation, user).map(user.isPresent()))));
    }

    private Future<InvitationLinkState> check(Invitations.CheckLink ask) {
        var read = tokens.readInvitation(ask.token());
        if (read.isEmpty()) {
            return invalidToken();
        }
        return database.read(tx -> store.status(tx, read.get().invitationId()))
                .map(status -> status.map(known -> switch (known) {
                            case ACCEPTED -> InvitationLinkState.ACCEPTED;
                            case PENDING ->
                                read.get().isExpired() ? InvitationLinkState.EXPIRED : InvitationLinkState.PENDING;
                        })
                        .orElse(InvitationLinkState.ENDED));
    }

    private static <T> Future<T> invalidToken() {
        return Future.failedFuture(ApiException.of(ErrorCode.INVALID_BEARER_TOKEN, "invalid invitation token"));
    }

    private Future<Page<Invitation>> list(Invitations.ListVisible ask) {
        return database.read(tx -> store.page(tx, ask.by(), ask.type(), ask.status(), ask.projectId(), ask.page()));
    }

    private Future<Invitation> find(Invitations.Find ask) {
        return database.read(tx -> store.find(tx, ask.by().platform(), ask.invitationId()))
                .map(found -> required(found, ask.invitationId()));
    }

    private static Invitation required(Optional<Invitation> found, String id) {
        return found.orElseThrow(() -> ApiException.notFound("UserInvitation", id));
    }

    private Future<Nothing> delete(Invitations.Delete ask) {
        return database.inTransaction(tx -> store.delete(tx, ask.invitationId()))
                .map(Nothing.DONE);
    }
}
