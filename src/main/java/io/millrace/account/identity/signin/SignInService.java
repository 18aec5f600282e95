package io.millrace.account.identity.signin;

import io.millrace.account.identity.Account;
import io.millrace.account.identity.AccountOnboarding;
import io.millrace.account.identity.AccountStore;
import io.millrace.account.identity.IdentityProvider;
import io.millrace.account.identity.PasswordFailures;
import io.millrace.account.identity.Session;
import io.millrace.account.identity.UserIdentity;
import io.millrace.account.platform.Platform;
import io.millrace.account.platform.PlatformService;
import io.millrace.base.bus.Bus;
import io.millrace.base.config.SignInSettings;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.Passwords;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Supplier;

/** Handles the {@link SignIns} with a password or an open session. */
public final class SignInService implements BusService {
    private final Database database;
    private final PlatformService platforms;
    private final Passwords passwords;
    private final AccountOnboarding onboarding;
    private final Supplier<SignInSettings> settings;
    private final AccountStore store = new AccountStore();
    private final PasswordFailures failures = new PasswordFailures();

    /**
     * @param settings read for each request, because they may change
     */
    public SignInService(
            Database database,
            PlatformService platforms,
            Passwords passwords,
            AccountOnboarding onboarding,
            Supplier<SignInSettings> settings) {
        this.database = database;
        this.platforms = platforms;
        this.passwords = passwords;
        this.onboarding = onboarding;
        this.settings = settings;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(SignIns.SignUp.class, this::signUp);
        bus.serve(SignIns.SignIn.class, this::signIn);
        bus.serve(SignIns.SwitchPlatform.class, this::switchPlatform);
    }

    /** Checks before hashing, so that refused callers cost no hash, and again under the lock. */
    private Future<Session> signUp(SignIns.SignUp ask) {
        return database.read(
                        tx -> platforms.oldest(tx).compose(platform -> onboarding.admitted(tx, platform, ask.email())))
                .compose(_ -> passwords.hash(ask.password()))
                .compose(hash -> database.inTransaction(tx -> register(tx, ask, hash)));
    }

    private Future<Session> register(Tx tx, SignIns.SignUp ask, String passwordHash) {
        var identity = identityOf(ask, passwordHash);
        return store.lockSignUps(tx)
                .compose(_ -> platforms.oldest(tx))
                .compose(platform -> onboarding.admitted(tx, platform, ask.email()))
                .compose(platform -> refuseKnown(tx, ask.email(), platform)
                        .compose(_ -> store.insert(tx, identity))
                        .compose(_ -> platform.isPresent()
                                ? onboarding.join(tx, identity, platform.get(), ask.by())
                                : onboarding.found(tx, identity, ask.by())));
    }

    private Future<Void> refuseKnown(Tx tx, String email, Optional<Platform> platform) {
        var platformId = platform.map(Platform::id).orElse(null);
        return store.find(tx, email, platformId)
                .compose(found -> found.isPresent()
                        ? Future.failedFuture(AccountOnboarding.existingUser(email, platformId))
                        : Future.succeededFuture());
    }

    private Future<Session> signIn(SignIns.SignIn ask) {
        return database.read(platforms::oldest)
                .compose(platform -> database.read(tx -> refuseExhausted(tx, ask.email())
                                .compose(_ -> store.find(
                                        tx,
                                        ask.email(),
                                        platform.map(Platform::id).orElse(null))))
                        .compose(account -> withPassword(ask.email(), account, ask.password()))
                        .compose(account -> database.inTransaction(tx -> failures.clear(tx, ask.email())
                                .compose(_ -> onboarding.admit(tx, account, platform, ask.by())))));
    }

    private Future<Void> refuseExhausted(Tx tx, String email) {
        var limits = settings.get().limits();
        return limits.isOn()
                ? failures.refuseExhausted(tx, email, limits.failuresMax(), onboarding.now())
                : Future.succeededFuture();
    }

    /** For an unknown address time and answer are the same as for a wrong password. */
    private Future<Account> withPassword(String email, Optional<Account> account, String password) {
        return passwords
                .verify(password, account.map(known -> known.identity().passwordHash()))
                .compose(matches -> account.filter(_ -> matches)
                        .map(Future::succeededFuture)
                        .orElseGet(() -> database.inTransaction(tx -> failures.add(tx, email, onboarding.now()))
                                .compose(_ -> Future.failedFuture(ApiException.bare(ErrorCode.INVALID_CREDENTIALS)))));
    }

    private Future<Session> switchPlatform(SignIns.SwitchPlatform ask) {
        return database.inTransaction(tx -> store.findByUser(tx, ask.by().actingUser())
                .compose(account -> store.findByIdentity(
                        tx,
                        account.orElseThrow(SignInService::noMember).identity().id(),
                        ask.platformId()))
                .map(account ->
                        account.filter(found -> found.user().isPresent()).orElseThrow(SignInService::noMember))
                .compose(account -> onboarding.enter(tx, account)));
    }

    private static ApiException noMember() {
        return ApiException.of(ErrorCode.AUTHORIZATION, "The user is not member in that platform");
    }

    private UserIdentity identityOf(SignIns.SignUp ask, String passwordHash) {
        return new UserIdentity(
                Ids.next(),
                onboarding.now(),
                ask.email(),
                passwordHash,
                ask.firstName(),
                ask.lastName(),
                IdentityProvider.EMAIL,
                true,
                ask.trackEvents(),
                ask.newsLetter(),
                null);
    }
}
