package io.millrace.account.identity.signin;

import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.audit.EventAction;
import io.millrace.account.identity.Account;
import io.millrace.account.identity.AccountOnboarding;
import io.millrace.account.identity.AccountStore;
import io.millrace.account.identity.IdentityProvider;
import io.millrace.account.identity.PasswordFailures;
import io.millrace.account.identity.Session;
import io.millrace.account.identity.UserIdentity;
import io.millrace.account.mail.Letter;
import io.millrace.account.mail.MailOutbox;
import io.millrace.account.platform.Platform;
import io.millrace.account.platform.PlatformService;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.Passwords;
import io.millrace.base.secret.SecretBox;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles the {@link SignIns} with a mailed link: confirming an address, choosing a new password (32.7). */
public final class RecoveryService implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(RecoveryService.class);

    private static final Duration RESET_VALIDITY = Duration.ofMinutes(10);
    private static final Duration VERIFICATION_VALIDITY = Duration.ofHours(24);
    private static final int CODE_LENGTH = 43;
    private static final int TOKEN_VERSION_LENGTH = 21;

    private final Database database;
    private final PlatformService platforms;
    private final Passwords passwords;
    private final MailOutbox mail;
    private final AuditLog auditLog;
    private final Supplier<String> publicUrl;
    private final AccountOnboarding onboarding;
    private final OneTimeCodeStore codes;
    private final AccountStore store = new AccountStore();
    private final PasswordFailures failures = new PasswordFailures();

    public RecoveryService(
            Database database,
            PlatformService platforms,
            Passwords passwords,
            MailOutbox mail,
            SecretBox box,
            AuditLog auditLog,
            Supplier<String> publicUrl,
            AccountOnboarding onboarding) {
        this.database = database;
        this.platforms = platforms;
        this.passwords = passwords;
        this.mail = mail;
        this.codes = new OneTimeCodeStore(box);
        this.auditLog = auditLog;
        this.publicUrl = publicUrl;
        this.onboarding = onboarding;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(SignIns.RequestLink.class, this::request);
        bus.serve(SignIns.VerifyEmail.class, this::verify);
        bus.serve(SignIns.ResetPassword.class, this::reset);
    }

    /** Answers before any lookup, so that the response time reveals nothing about the address. */
    private Future<Nothing> request(SignIns.RequestLink ask) {
        if (mail.isConfigured()) {
            database.inTransaction(tx -> send(tx, ask))
                    .onFailure(cause -> LOG.warn("cannot mail a password link", cause));
        }
        return Future.succeededFuture(Nothing.DONE);
    }

    private Future<Void> send(Tx tx, SignIns.RequestLink ask) {
        return platforms
                .oldest(tx)
                .compose(platform -> store.find(
                                tx, ask.email(), platform.map(Platform::id).orElse(null))
                        .compose(account -> account.map(Account::identity)
                                .filter(identity -> concerns(ask.type(), identity))
                                .map(identity -> send(tx, ask.type(), platform, identity))
                                .orElseGet(Future::succeededFuture)));
    }

    /** Accounts of external identity providers have no password to reset. */
    private static boolean concerns(SignIns.LinkType type, UserIdentity identity) {
        return switch (type) {
            case EMAIL_VERIFICATION -> !identity.verified();
            case PASSWORD_RESET -> identity.provider() == IdentityProvider.EMAIL;
        };
    }

    private Future<Void> send(Tx tx, SignIns.LinkType type, Optional<Platform> platform, UserIdentity identity) {
        var validity = type == SignIns.LinkType.PASSWORD_RESET ? RESET_VALIDITY : VERIFICATION_VALIDITY;
        return codes.issue(tx, purpose(type), identity.id(), onboarding.now(), validity, () -> Ids.random(CODE_LENGTH))
                .compose(issued -> issued.map(code -> mail.add(tx, platform, letter(type, identity, code), validity))
                        .orElseGet(Future::succeededFuture));
    }

    private Letter letter(SignIns.LinkType type, UserIdentity identity, OneTimeCodeStore.OutgoingCode issued) {
        var query = "?otp=" + issued.code() + "&identityId=" + identity.id();
        return switch (type) {
            case PASSWORD_RESET ->
                SignInLetters.passwordReset(identity.email(), issued, publicUrl.get() + "/reset-password" + query);
            case EMAIL_VERIFICATION ->
                SignInLetters.emailVerification(identity.email(), issued, publicUrl.get() + "/verify-email" + query);
        };
    }

    private static OneTimeCodeStore.Purpose purpose(SignIns.LinkType type) {
        return OneTimeCodeStore.Purpose.valueOf(type.name());
    }

    private Future<Nothing> verify(SignIns.VerifyEmail ask) {
        return database.inTransaction(tx -> used(
                                tx, OneTimeCodeStore.Purpose.EMAIL_VERIFICATION, ask.identityId(), ask.code())
                        .compose(account -> account.isEmpty()
                                ? Future.succeededFuture(false)
                                : store.update(tx, account.get().identity().proven(), onboarding.now())
                                        .compose(_ ->
                                                record(tx, EventAction.USER_EMAIL_VERIFIED, ask.by(), account.get()))
                                        .map(true)))
                .map(RecoveryService::done);
    }

    /** Checks the code before hashing, so that a wrong code costs no hash, and again in the transaction. */
    private Future<Nothing> reset(SignIns.ResetPassword ask) {
        return database.read(tx -> codes.isGood(
                        tx, OneTimeCodeStore.Purpose.PASSWORD_RESET, ask.identityId(), ask.code(), onboarding.now()))
                .map(RecoveryService::done)
                .compose(_ -> passwords.hash(ask.newPassword()))
                .compose(hash -> database.inTransaction(tx -> reset(tx, ask, hash)))
                .map(RecoveryService::done);
    }

    private Future<Boolean> reset(Tx tx, SignIns.ResetPassword ask, String passwordHash) {
        return used(tx, OneTimeCodeStore.Purpose.PASSWORD_RESET, ask.identityId(), ask.code())
                .compose(account -> {
                    if (account.isEmpty()) {
                        return Future.succeededFuture(false);
                    }
                    var changed = account.get().identity().withPassword(passwordHash, Ids.random(TOKEN_VERSION_LENGTH));
                    return store.update(tx, changed, onboarding.now())
                            .compose(_ -> failures.clear(tx, changed.email()))
                            .compose(_ -> record(tx, EventAction.USER_PASSWORD_RESET, ask.by(), account.get()))
                            .map(true);
                });
    }

    /** The person of a valid code; empty for a wrong one, which must be committed too. */
    private Future<Optional<Account>> used(Tx tx, OneTimeCodeStore.Purpose purpose, String identityId, String code) {
        return codes.use(tx, purpose, identityId, code, onboarding.now())
                .compose(right -> right
                        ? platforms
                                .oldest(tx)
                                .compose(platform -> store.findByIdentity(
                                        tx,
                                        identityId,
                                        platform.map(Platform::id).orElse(null)))
                        : Future.succeededFuture(Optional.empty()));
    }

    /** Records an event, which needs a platform; nothing is recorded for a person without one. */
    private Future<Void> record(Tx tx, EventAction action, Principal by, Account account) {
        return account.user()
                .map(user -> auditLog.record(
                        tx,
                        ApplicationEvent.onPlatform(
                                action,
                                user.principal().from(by.address()),
                                Session.eventData(account.identity(), user))))
                .orElseGet(Future::succeededFuture);
    }

    private static Nothing done(boolean right) {
        if (!right) {
            throw ApiException.of(ErrorCode.INVALID_OTP);
        }
        return Nothing.DONE;
    }
}
