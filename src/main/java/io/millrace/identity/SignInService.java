package io.millrace.identity;

import io.millrace.access.PlatformRole;
import io.millrace.access.Principal;
import io.millrace.audit.ApplicationEvent;
import io.millrace.audit.AuditTrail;
import io.millrace.audit.EventAction;
import io.millrace.bus.Bus;
import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.millrace.core.Ids;
import io.millrace.core.Json;
import io.millrace.persistence.Database;
import io.millrace.persistence.Desk;
import io.millrace.persistence.Tx;
import io.millrace.platform.Platform;
import io.millrace.platform.PlatformNames;
import io.millrace.platform.PlatformService;
import io.millrace.secret.Passwords;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Answers {@link SignIns}: accounts are made and sessions opened here. */
public final class SignInService implements Desk {
    private final Database database;
    private final PlatformService platforms;
    private final PersonalProjects projects;
    private final Passwords passwords;
    private final AccessTokens tokens;
    private final GuestList guests;
    private final AuditTrail trail;
    private final boolean openSignUp;
    private final InstantSource clock;
    private final AccountStore store = new AccountStore();

    /**
     * @param guests who may sign up by invitation
     * @param openSignUp whether anybody may sign up without an invitation
     */
    public SignInService(
            Database database,
            PlatformService platforms,
            PersonalProjects projects,
            Passwords passwords,
            AccessTokens tokens,
            GuestList guests,
            AuditTrail trail,
            boolean openSignUp,
            InstantSource clock) {
        this.database = database;
        this.platforms = platforms;
        this.projects = projects;
        this.passwords = passwords;
        this.tokens = tokens;
        this.guests = guests;
        this.trail = trail;
        this.openSignUp = openSignUp;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(SignIns.SignUp.class, this::signUp);
        bus.serve(SignIns.SignIn.class, this::signIn);
    }

    /** Asks before hashing, so that refused callers cost nothing, and again under the lock, where it counts. */
    private Future<Session> signUp(SignIns.SignUp ask) {
        return database.read(tx -> platforms.oldest(tx).compose(platform -> admitted(tx, platform, ask.email())))
                .compose(_ -> passwords.hash(ask.password()))
                .compose(hash -> database.inTransaction(tx -> register(tx, ask, hash)));
    }

    private Future<Session> register(Tx tx, SignIns.SignUp ask, String passwordHash) {
        var identity = identityOf(ask, passwordHash);
        return store.lockSignUps(tx)
                .compose(_ -> platforms.oldest(tx))
                .compose(platform -> admitted(tx, platform, ask.email()))
                .compose(platform -> platform.isPresent()
                        ? registerMember(tx, identity, platform.get())
                        : registerFirst(tx, identity))
                .compose(session -> recorded(tx, EventAction.USER_SIGNED_UP, ask.by(), session));
    }

    private Future<Optional<Platform>> admitted(Tx tx, Optional<Platform> platform, String email) {
        if (platform.isEmpty()) {
            return Future.succeededFuture(platform);
        }
        var existing = platform.get();
        return (openSignUp ? Future.succeededFuture(true) : guests.expects(tx, existing.id(), email)).map(expected -> {
            if (!expected) {
                throw invitationOnly();
            }
            existing.admitByPassword(email);
            return platform;
        });
    }

    private Future<Session> registerFirst(Tx tx, UserIdentity identity) {
        var names = PlatformNames.of(identity.email(), identity.firstName());
        var user = userOf(identity, Ids.next(), PlatformRole.ADMIN);
        return platforms
                .create(tx, user.platformId(), user.id(), names.platform(), user.created())
                .compose(_ -> enrol(tx, identity, user, names.project()));
    }

    private Future<Session> registerMember(Tx tx, UserIdentity identity, Platform platform) {
        var user = userOf(identity, platform.id(), PlatformRole.MEMBER);
        return store.find(tx, identity.email(), platform.id())
                .compose(found -> found.isPresent()
                        ? Future.failedFuture(existingUser(identity.email(), platform.id()))
                        : enrol(tx, identity, user, identity.firstName() + "'s Project"))
                .compose(session -> guests.welcome(tx, user, identity.email())
                        .compose(_ -> store.findByUser(tx, user.id()))
                        .map(account ->
                                session.of(account.flatMap(Account::user).orElse(user))));
    }

    private Future<Session> enrol(Tx tx, UserIdentity identity, User user, String projectName) {
        return store.insert(tx, identity, user)
                .compose(_ -> projects.create(tx, user, identity.email(), projectName))
                .map(projectId -> session(identity, user, projectId));
    }

    private Future<Session> signIn(SignIns.SignIn ask) {
        return database.read(platforms::oldest)
                .compose(platform -> database.read(tx -> find(tx, ask.email(), platform))
                        .compose(account -> withPassword(account, ask.password()))
                        .compose(account -> database.inTransaction(tx -> admit(tx, account, platform)
                                .compose(session -> recorded(tx, EventAction.USER_SIGNED_IN, ask.by(), session)))));
    }

    private Future<Optional<Account>> find(Tx tx, String email, Optional<Platform> platform) {
        return platform.map(existing -> store.find(tx, email, existing.id()))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()));
    }

    /** An unknown address takes the time of a wrong password, and gets the same answer. */
    private Future<Account> withPassword(Optional<Account> account, String password) {
        return passwords
                .verify(password, account.map(known -> known.identity().passwordHash()))
                .map(matches -> account.filter(_ -> matches)
                        .orElseThrow(() -> ApiException.bare(ErrorCode.INVALID_CREDENTIALS)));
    }

    /** The order of refusals is the contract's (32.5). */
    private Future<Session> admit(Tx tx, Account account, Optional<Platform> platform) {
        var identity = account.identity();
        if (!identity.verified()) {
            throw refusal(ErrorCode.EMAIL_IS_NOT_VERIFIED, identity.email());
        }
        platform.orElseThrow(SignInService::invitationOnly).admitByPassword(identity.email());
        var user = account.user().orElseThrow(SignInService::invitationOnly);
        if (user.status() != UserStatus.ACTIVE) {
            throw refusal(ErrorCode.USER_IS_INACTIVE, identity.email());
        }
        return projects.firstVisible(tx, user)
                .map(project -> project.orElseThrow(SignInService::invitationOnly))
                .compose(projectId -> store.markActive(tx, user.id(), now()).map(session(identity, user, projectId)));
    }

    private Future<Session> recorded(Tx tx, EventAction action, Principal by, Session session) {
        var user = session.user();
        var data = session.eventData();
        if (action == EventAction.USER_SIGNED_UP) {
            data.put("source", "credentials");
        }
        return trail.record(
                        tx, ApplicationEvent.onPlatform(action, user.principal().from(by.address()), data))
                .map(session);
    }

    private Session session(UserIdentity identity, User user, String projectId) {
        return new Session(identity, user, tokens.issue(user, identity.tokenVersion()), projectId);
    }

    private UserIdentity identityOf(SignIns.SignUp ask, String passwordHash) {
        return new UserIdentity(
                Ids.next(),
                now(),
                ask.email(),
                passwordHash,
                ask.firstName(),
                ask.lastName(),
                true,
                ask.trackEvents(),
                ask.newsLetter(),
                null);
    }

    private static User userOf(UserIdentity identity, String platformId, PlatformRole role) {
        var now = identity.created();
        return new User(Ids.next(), now, now, identity.id(), platformId, role, UserStatus.ACTIVE, null, now);
    }

    private static ApiException invitationOnly() {
        return ApiException.of(ErrorCode.INVITATION_ONLY_SIGN_UP, "User is not invited to the platform");
    }

    private static ApiException existingUser(String email, String platformId) {
        return ApiException.of(
                ErrorCode.EXISTING_USER, Json.object().put("email", email).put("platformId", platformId));
    }

    private static ApiException refusal(ErrorCode code, String email) {
        return ApiException.of(code, Json.object().put("email", email));
    }

    /** As exact as a row keeps it, so that what is answered equals what is stored. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
