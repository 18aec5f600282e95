package io.millrace.account.identity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.audit.EventAction;
import io.millrace.account.platform.Platform;
import io.millrace.account.platform.PlatformService;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.Passwords;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Creates and repairs accounts for the operator of the server, who has access to the database: no invitation, mailed code or
 * old password is required. Actions are recorded in the audit log, without a client address.
 */
public final class OperatorAccounts {
    private static final int TOKEN_VERSION_LENGTH = 21;
    private static final Principal OPERATOR = new Principal.Anonymous(null);

    private final Database database;
    private final PlatformService platforms;
    private final Passwords passwords;
    private final AuditLog auditLog;
    private final AccountOnboarding onboarding;
    private final AccountStore store = new AccountStore();
    private final PasswordFailures failures = new PasswordFailures();

    public OperatorAccounts(
            Database database,
            PlatformService platforms,
            Passwords passwords,
            AuditLog auditLog,
            AccountOnboarding onboarding) {
        this.database = database;
        this.platforms = platforms;
        this.passwords = passwords;
        this.auditLog = auditLog;
        this.onboarding = onboarding;
    }

    /**
     * An account to create.
     *
     * @param isAdministrator of the platform; the first account always is
     */
    public record NewAccount(
            String email, String password, String firstName, String lastName, boolean isAdministrator) {
        /** Checks all fields by the rules of a sign-up; fails with INVALID_INPUT, which names each invalid field. */
        public static NewAccount read(ObjectNode given) {
            var fields = Fields.of("user", given);
            var account = new NewAccount(
                    fields.email("email"),
                    passwordOf(fields),
                    fields.text("firstName", AccountRules.NAME),
                    fields.text("lastName", AccountRules.NAME),
                    fields.flag("administrator"));
            fields.done();
            return account;
        }

        @Override
        public String toString() {
            return "NewAccount[]";
        }
    }

    public record NewPassword(String email, String password) {
        /** Checks both fields; fails with INVALID_INPUT, which names each invalid field. */
        public static NewPassword read(ObjectNode given) {
            var fields = Fields.of("user", given);
            var wanted = new NewPassword(fields.email("email"), passwordOf(fields));
            fields.done();
            return wanted;
        }

        @Override
        public String toString() {
            return "NewPassword[]";
        }
    }

    private static String passwordOf(Fields fields) {
        return fields.text("password", AccountRules.PASSWORD_LENGTH_MIN, AccountRules.PASSWORD_LENGTH_MAX);
    }

    /** Creates an account, and with the first one the platform. Fails with EXISTING_USER. */
    public Future<ObjectNode> create(NewAccount wanted) {
        return passwords
                .hash(wanted.password())
                .compose(hash -> database.inTransaction(tx -> create(tx, wanted, hash)));
    }

    private Future<ObjectNode> create(Tx tx, NewAccount wanted, String hash) {
        var identity = new UserIdentity(
                Ids.next(),
                onboarding.now(),
                wanted.email(),
                hash,
                wanted.firstName(),
                wanted.lastName(),
                IdentityProvider.EMAIL,
                true,
                false,
                false,
                null);
        return store.lockSignUps(tx)
                .compose(_ -> platforms.oldest(tx))
                .compose(platform -> refuseKnown(tx, wanted.email(), platform)
                        .compose(_ -> store.insert(tx, identity))
                        .compose(_ -> platform.isEmpty()
                                ? onboarding.found(tx, identity, OPERATOR)
                                : onboarding.join(tx, identity, platform.get(), roleOf(wanted), OPERATOR)))
                .map(session -> shown(wanted.email(), session.user()));
    }

    private static PlatformRole roleOf(NewAccount wanted) {
        return wanted.isAdministrator() ? PlatformRole.ADMIN : PlatformRole.MEMBER;
    }

    private Future<Void> refuseKnown(Tx tx, String email, Optional<Platform> platform) {
        var platformId = platform.map(Platform::id).orElse(null);
        return store.find(tx, email, platformId)
                .compose(found -> found.isPresent()
                        ? Future.failedFuture(AccountOnboarding.existingUser(email, platformId))
                        : Future.succeededFuture());
    }

    /** Sets a password, which ends every session. Fails with ENTITY_NOT_FOUND. */
    public Future<ObjectNode> resetPassword(NewPassword wanted) {
        return passwords.hash(wanted.password()).compose(hash -> database.inTransaction(tx -> reset(tx, wanted, hash)));
    }

    private Future<ObjectNode> reset(Tx tx, NewPassword wanted, String hash) {
        return platforms
                .oldest(tx)
                .compose(platform -> store.find(
                        tx, wanted.email(), platform.map(Platform::id).orElse(null)))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("user", wanted.email())))
                .compose(account -> {
                    var changed = account.identity()
                            .withPassword(hash, Ids.random(TOKEN_VERSION_LENGTH))
                            .proven();
                    return store.update(tx, changed, onboarding.now())
                            .compose(_ -> failures.clear(tx, changed.email()))
                            .compose(_ -> recorded(tx, account))
                            .map(_ -> account.user()
                                    .map(user -> shown(wanted.email(), user))
                                    .orElseGet(() -> Json.object().put("email", wanted.email())));
                });
    }

    private Future<Void> recorded(Tx tx, Account account) {
        return account.user()
                .map(user -> auditLog.record(
                        tx,
                        ApplicationEvent.onPlatform(
                                EventAction.USER_PASSWORD_RESET,
                                user.principal(),
                                Session.eventData(account.identity(), user))))
                .orElseGet(Future::succeededFuture);
    }

    private static ObjectNode shown(String email, User user) {
        return Json.object()
                .put("email", email)
                .put("id", user.id())
                .put("platformId", user.platformId())
                .put("platformRole", user.role().name())
                .put("status", user.status().name());
    }
}
