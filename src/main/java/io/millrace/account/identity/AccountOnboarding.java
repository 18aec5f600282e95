package io.millrace.account.identity;

import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.audit.EventAction;
import io.millrace.account.platform.Platform;
import io.millrace.account.platform.PlatformNames;
import io.millrace.account.platform.PlatformService;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Creates accounts and opens sessions, for any method of authentication (contract admin-api 32.2 to 32.5). Works in the
 * caller's transaction.
 */
public final class AccountOnboarding {
    private final PlatformService platforms;
    private final PersonalProjects projects;
    private final AccessTokens tokens;
    private final GuestList guests;
    private final AuditLog auditLog;
    private final boolean openSignUp;
    private final InstantSource clock;
    private final AccountStore store = new AccountStore();

    /**
     * @param guests list of invited addresses
     * @param openSignUp true when sign-up needs no invitation
     */
    public AccountOnboarding(
            PlatformService platforms,
            PersonalProjects projects,
            AccessTokens tokens,
            GuestList guests,
            AuditLog auditLog,
            boolean openSignUp,
            InstantSource clock) {
        this.platforms = platforms;
        this.projects = projects;
        this.tokens = tokens;
        this.guests = guests;
        this.auditLog = auditLog;
        this.openSignUp = openSignUp;
        this.clock = clock;
    }

    /** True when the address may get an account: the first of all, an invited one, or any address with open sign-up. */
    public Future<Boolean> expects(Tx tx, Optional<Platform> platform, String email) {
        return platform.isEmpty() || openSignUp
                ? Future.succeededFuture(true)
                : guests.expects(tx, platform.get().id(), email);
    }

    /**
     * Refuses an address that may not get an account, or not without invitation. The platform's own rules are checked first.
     */
    public Future<Optional<Platform>> admitted(Tx tx, Optional<Platform> platform, String email) {
        platform.ifPresent(existing -> existing.admitByEmail(email));
        return expects(tx, platform, email).map(expected -> {
            if (!expected) {
                throw invitationOnly();
            }
            return platform;
        });
    }

    /** Creates the first user together with the platform. The identity must exist. */
    public Future<Session> found(Tx tx, UserIdentity identity, Principal by) {
        return found(tx, identity, PlatformNames.of(identity.email(), identity.firstName()), by);
    }

    public Future<Session> found(Tx tx, UserIdentity identity, PlatformNames names, Principal by) {
        var user = userOf(identity, Ids.next(), PlatformRole.ADMIN);
        return platforms
                .create(tx, user.platformId(), user.id(), names.platform(), user.created())
                .compose(_ -> enrol(tx, identity, user, names.project()))
                .compose(session -> recorded(tx, EventAction.USER_SIGNED_UP, by, session));
    }

    /** Creates a further user, with the roles of the person's invitations. The identity must exist. */
    public Future<Session> join(Tx tx, UserIdentity identity, Platform platform, Principal by) {
        return join(tx, identity, platform, PlatformRole.MEMBER, by);
    }

    public Future<Session> join(Tx tx, UserIdentity identity, Platform platform, PlatformRole role, Principal by) {
        var user = userOf(identity, platform.id(), role);
        return enrol(tx, identity, user, identity.firstName() + "'s Project")
                .compose(session -> guests.welcome(tx, user, identity.email())
                        .compose(_ -> store.findByUser(tx, user.id()))
                        .map(account ->
                                session.of(account.flatMap(Account::user).orElse(user))))
                .compose(session -> recorded(tx, EventAction.USER_SIGNED_UP, by, session));
    }

    /** Creates a user with the personal project; publishes no notice. */
    public Future<Session> enrol(Tx tx, UserIdentity identity, User user, String projectName) {
        return store.insert(tx, user)
                .compose(_ -> projects.create(tx, user, projectName))
                .map(projectId -> session(identity, user, projectId));
    }

    /** Opens a session for an authenticated person. The order of refusals is the contract's (32.5). */
    public Future<Session> admit(Tx tx, Account account, Optional<Platform> platform, Principal by) {
        var identity = account.identity();
        if (!identity.verified()) {
            throw refusal(ErrorCode.EMAIL_IS_NOT_VERIFIED, identity.email());
        }
        platform.orElseThrow(AccountOnboarding::invitationOnly).admitByEmail(identity.email());
        return enter(tx, account).compose(session -> recorded(tx, EventAction.USER_SIGNED_IN, by, session));
    }

    public Future<Session> enter(Tx tx, Account account) {
        var identity = account.identity();
        var user = account.user().orElseThrow(AccountOnboarding::invitationOnly);
        if (user.status() != UserStatus.ACTIVE) {
            throw inactive(identity);
        }
        return projects.firstVisible(tx, user)
                .map(project -> project.orElseThrow(AccountOnboarding::invitationOnly))
                .compose(projectId -> store.markActive(tx, user.id(), now()).map(session(identity, user, projectId)));
    }

    /** Issues a token that is valid only for the creation of a platform, for a person without one. */
    public Session onboarding(UserIdentity identity) {
        return Session.onboarding(identity, tokens.issueOnboarding(identity));
    }

    public Future<Session> recorded(Tx tx, EventAction action, Principal by, Session session) {
        var data = session.eventData();
        if (action == EventAction.USER_SIGNED_UP) {
            data.put("source", session.provider().source());
        }
        var user = session.user().principal().from(by.address());
        return auditLog.record(tx, ApplicationEvent.onPlatform(action, user, data))
                .map(session);
    }

    public Session session(UserIdentity identity, User user, String projectId) {
        return new Session(identity, user, tokens.issue(user, identity.tokenVersion()), projectId);
    }

    private User userOf(UserIdentity identity, String platformId, PlatformRole role) {
        var now = now();
        return new User(Ids.next(), now, now, identity.id(), platformId, role, UserStatus.ACTIVE, null, now);
    }

    public static ApiException invitationOnly() {
        return ApiException.of(ErrorCode.INVITATION_ONLY_SIGN_UP, "User is not invited to the platform");
    }

    public static ApiException inactive(UserIdentity identity) {
        return refusal(ErrorCode.USER_IS_INACTIVE, identity.email());
    }

    public static ApiException existingUser(String email, String platformId) {
        return ApiException.of(
                ErrorCode.EXISTING_USER, Json.object().put("email", email).put("platformId", platformId));
    }

    private static ApiException refusal(ErrorCode code, String email) {
        return ApiException.of(code, Json.object().put("email", email));
    }

    /** Current time in the precision of the database, so that the answer equals the stored value. */
    public Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
