package io.millrace.account.identity.signin;

import io.millrace.account.identity.Account;
import io.millrace.account.identity.AccountOnboarding;
import io.millrace.account.identity.AccountStore;
import io.millrace.account.identity.Session;
import io.millrace.account.identity.UserIdentity;
import io.millrace.account.identity.UserStatus;
import io.millrace.account.mail.MailOutbox;
import io.millrace.account.platform.Platform;
import io.millrace.account.platform.PlatformNames;
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
import io.millrace.base.secret.SecretBox;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the {@link SignIns} with a mailed code (contract admin-api 32.6). A code is requested by address; before its
 * verification only the code is stored, and no data of the person.
 */
public final class MailedCodeService implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(MailedCodeService.class);

    private static final Duration VALIDITY = Duration.ofMinutes(10);
    private static final int CODES = 1_000_000;

    private final Database database;
    private final PlatformService platforms;
    private final MailOutbox mail;
    private final AccountOnboarding onboarding;
    private final OneTimeCodeStore codes;
    private final AccountStore store = new AccountStore();
    private final SecureRandom random = new SecureRandom();

    public MailedCodeService(
            Database database,
            PlatformService platforms,
            MailOutbox mail,
            SecretBox box,
            AccountOnboarding onboarding) {
        this.database = database;
        this.platforms = platforms;
        this.mail = mail;
        this.codes = new OneTimeCodeStore(box);
        this.onboarding = onboarding;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(SignIns.RequestCode.class, this::request);
        bus.serve(SignIns.VerifyCode.class, this::verify);
        bus.serve(SignIns.CompleteSignUp.class, this::complete);
        bus.serve(SignIns.FoundPlatform.class, this::foundPlatform);
    }

    /**
     * Answers before any lookup: neither the answer nor its time reveals whether codes are offered, or whether the address is
     * known (contract admin-api 32.1).
     */
    private Future<Nothing> request(SignIns.RequestCode ask) {
        if (mail.isConfigured()) {
            database.inTransaction(tx -> platforms.oldest(tx).compose(platform -> send(tx, platform, ask.email())))
                    .onFailure(cause -> LOG.warn("cannot mail a sign-in code", cause));
        }
        return Future.succeededFuture(Nothing.DONE);
    }

    private Future<Void> send(Tx tx, Optional<Platform> platform, String email) {
        return maySignIn(tx, platform, email)
                .compose(may -> may
                        ? codes.issue(
                                tx, OneTimeCodeStore.Purpose.SIGN_IN, email, onboarding.now(), VALIDITY, this::newCode)
                        : Future.succeededFuture(Optional.empty()))
                .compose(issued -> issued.map(code -> mail.add(tx, platform, SignInLetters.code(email, code), VALIDITY))
                        .orElseGet(Future::succeededFuture));
    }

    private Future<Boolean> maySignIn(Tx tx, Optional<Platform> platform, String email) {
        if (!platform.map(known -> known.signIn().emailAuthEnabled() && known.admitsDomain(email))
                .orElse(true)) {
            return Future.succeededFuture(false);
        }
        return store.find(tx, email, platform.map(Platform::id).orElse(null))
                .compose(account -> account.flatMap(Account::user)
                        .map(user -> Future.succeededFuture(user.status() == UserStatus.ACTIVE))
                        .orElseGet(() -> onboarding.expects(tx, platform, email)));
    }

    private String newCode() {
        return "%06d".formatted(random.nextInt(CODES));
    }

    /** A wrong attempt must be committed, so the refusal is thrown after the transaction. */
    private Future<Session> verify(SignIns.VerifyCode ask) {
        return database.inTransaction(tx -> codes.use(
                                tx, OneTimeCodeStore.Purpose.SIGN_IN, ask.email(), ask.code(), onboarding.now())
                        .compose(right -> right
                                ? enter(tx, ask).map(Optional::of)
                                : Future.succeededFuture(Optional.<Session>empty())))
                .map(session -> session.orElseThrow(() -> ApiException.of(ErrorCode.INVALID_OTP)));
    }

    private Future<Session> enter(Tx tx, SignIns.VerifyCode ask) {
        return platforms
                .oldest(tx)
                .compose(platform -> store.find(
                                tx, ask.email(), platform.map(Platform::id).orElse(null))
                        .compose(account -> account.flatMap(Account::user).isPresent()
                                ? store.prove(tx, account.get().identity(), onboarding.now())
                                        .compose(identity -> onboarding.admit(
                                                tx,
                                                new Account(
                                                        identity, account.get().user()),
                                                platform,
                                                ask.by()))
                                : enterAnew(tx, ask)));
    }

    /** Runs under the lock of sign-ups, because a concurrent sign-up may have created the platform. */
    private Future<Session> enterAnew(Tx tx, SignIns.VerifyCode ask) {
        return store.lockSignUps(tx)
                .compose(_ -> platforms.oldest(tx))
                .compose(platform -> onboarding.admitted(tx, platform, ask.email()))
                .compose(platform -> personOf(tx, ask.email())
                        .compose(identity -> platform.map(existing -> onboarding.join(tx, identity, existing, ask.by()))
                                .orElseGet(() -> Future.succeededFuture(onboarding.onboarding(identity)))));
    }

    private Future<UserIdentity> personOf(Tx tx, String email) {
        return store.find(tx, email, null).compose(account -> {
            if (account.isPresent()) {
                return store.prove(tx, account.get().identity(), onboarding.now());
            }
            var fresh = UserIdentity.proved(Ids.next(), email, onboarding.now());
            return store.insert(tx, fresh).map(fresh);
        });
    }

    private Future<Session> complete(SignIns.CompleteSignUp ask) {
        return database.inTransaction(
                tx -> newcomer(tx, ask.by(), (account, platform) -> complete(tx, ask, account, platform)));
    }

    /** Creates the platform, if there is none. The user keeps the name that was guessed from the address. */
    private Future<Session> foundPlatform(SignIns.FoundPlatform ask) {
        return database.inTransaction(tx -> newcomer(tx, ask.by(), (account, platform) -> {
            if (platform.isPresent()) {
                throw ApiException.of(ErrorCode.AUTHORIZATION, "the platform of this server already exists");
            }
            var identity = account.identity();
            var guessed = PlatformNames.of(identity.email(), identity.firstName());
            return onboarding.found(tx, identity, new PlatformNames(ask.name(), guessed.project()), ask.by());
        }));
    }

    private interface Arrival extends BiFunction<Account, Optional<Platform>, Future<Session>> {}

    /** Runs the action under the lock of sign-ups; refuses a person who has an account by now. */
    private Future<Session> newcomer(Tx tx, Principal.Newcomer by, Arrival arrival) {
        return store.lockSignUps(tx)
                .compose(_ -> platforms.oldest(tx))
                .compose(platform -> store.findByIdentity(
                                tx, by.identityId(), platform.map(Platform::id).orElse(null))
                        .map(Optional::orElseThrow)
                        .compose(account -> {
                            if (account.user().isPresent()) {
                                throw AccountOnboarding.existingUser(
                                        account.identity().email(),
                                        account.user().get().platformId());
                            }
                            return arrival.apply(account, platform);
                        }));
    }

    private Future<Session> complete(Tx tx, SignIns.CompleteSignUp ask, Account account, Optional<Platform> platform) {
        var named = account.identity().named(ask.firstName(), ask.lastName());
        return onboarding
                .admitted(tx, platform, named.email())
                .compose(_ -> store.update(tx, named, onboarding.now()))
                .compose(_ -> platform.isPresent()
                        ? onboarding.join(tx, named, platform.get(), ask.by())
                        : onboarding.found(tx, named, ask.by()));
    }
}
