package io.millrace.account.identity.provisioning;

import io.millrace.account.audit.EventAction;
import io.millrace.account.identity.Account;
import io.millrace.account.identity.AccountOnboarding;
import io.millrace.account.identity.AccountStore;
import io.millrace.account.identity.IdentityProvider;
import io.millrace.account.identity.Session;
import io.millrace.account.identity.User;
import io.millrace.account.identity.UserIdentity;
import io.millrace.account.identity.UserStatus;
import io.millrace.account.platform.Platform;
import io.millrace.account.platform.PlatformService;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Accounts of people that an external system authenticates: an identity provider, or an embedding product (contract admin-api
 * 14, 32.8). The modules above verify the external system; this class opens a session, and creates a missing account. Runs in
 * the caller's transaction.
 */
public final class ExternalAccounts {
    private final PlatformService platforms;
    private final AccountOnboarding onboarding;
    private final AccountStore store = new AccountStore();

    public ExternalAccounts(PlatformService platforms, AccountOnboarding onboarding) {
        this.platforms = platforms;
        this.onboarding = onboarding;
    }

    /**
     * A session of a person whose address a provider has verified. The first one of an installation creates the platform.
     *
     * @param expected true when the person may join the platform without an invitation
     */
    public Future<Session> enter(Tx tx, Principal by, ExternalPerson person, boolean expected) {
        return platforms
                .oldest(tx)
                .compose(platform -> find(tx, person, platform)
                        .compose(account -> isMember(account)
                                ? signIn(tx, by, account.get(), platform.orElseThrow())
                                : signUp(tx, by, person, expected)));
    }

    private static boolean isMember(Optional<Account> account) {
        return account.flatMap(Account::user).isPresent();
    }

    private Future<Optional<Account>> find(Tx tx, ExternalPerson person, Optional<Platform> platform) {
        return store.find(tx, person.email(), platform.map(Platform::id).orElse(null));
    }

    private Future<Session> signIn(Tx tx, Principal by, Account account, Platform platform) {
        platform.admitDomain(account.identity().email());
        return store.prove(tx, account.identity(), onboarding.now())
                .compose(identity -> onboarding.enter(tx, new Account(identity, account.user())))
                .compose(session -> onboarding.recorded(tx, EventAction.USER_SIGNED_IN, by, session));
    }

    /** Repeats all reads under the lock, because of concurrent sign-ups. */
    private Future<Session> signUp(Tx tx, Principal by, ExternalPerson person, boolean expected) {
        return store.lockSignUps(tx)
                .compose(_ -> platforms.oldest(tx))
                .compose(platform -> find(tx, person, platform)
                        .compose(account -> isMember(account)
                                ? signIn(tx, by, account.get(), platform.orElseThrow())
                                : register(tx, by, person, account, platform, expected)));
    }

    private Future<Session> register(
            Tx tx,
            Principal by,
            ExternalPerson person,
            Optional<Account> account,
            Optional<Platform> platform,
            boolean expected) {
        platform.ifPresent(existing -> existing.admitDomain(person.email()));
        return (expected ? Future.succeededFuture(true) : onboarding.expects(tx, platform, person.email()))
                .compose(admitted -> admitted
                        ? identityOf(tx, person, account)
                        : Future.failedFuture(AccountOnboarding.invitationOnly()))
                .compose(identity -> platform.isPresent()
                        ? onboarding.join(tx, identity, platform.get(), by)
                        : onboarding.found(tx, identity, by));
    }

    private Future<UserIdentity> identityOf(Tx tx, ExternalPerson person, Optional<Account> account) {
        if (account.isPresent()) {
            return store.prove(tx, account.get().identity(), onboarding.now());
        }
        var identity = identityOf(person.email(), person.firstName(), person.lastName(), person.provider());
        return store.insert(tx, identity)
                .compose(_ -> person.imageUrl()
                        .map(url -> store.showImage(tx, identity.id(), url))
                        .orElseGet(Future::succeededFuture))
                .map(identity);
    }

    /**
     * A session in a project for a user of an embedding product; the first sign-in creates the user. Fails with
     * INVALID_BEARER_TOKEN for the external id of an account that signs in itself: a signing key is no credential of it.
     */
    public Future<Session> enterManaged(Tx tx, Principal by, ManagedPerson person, String projectId) {
        return store.findByExternalId(tx, person.platformId(), person.externalId())
                .compose(account -> account.isPresent()
                        ? Future.succeededFuture(account)
                        : store.find(tx, person.email(), person.platformId()))
                .map(account -> {
                    account.ifPresent(ExternalAccounts::checkManaged);
                    return account;
                })
                .compose(account -> isMember(account)
                        ? returning(tx, account.get(), projectId)
                        : arriving(tx, by, person, projectId));
    }

    private static void checkManaged(Account account) {
        if (account.identity().provider() != IdentityProvider.JWT) {
            throw ApiException.of(
                    ErrorCode.INVALID_BEARER_TOKEN,
                    "the external user id belongs to an account that signs in without the embedding product");
        }
    }

    private Future<Session> returning(Tx tx, Account account, String projectId) {
        var user = account.user().orElseThrow();
        if (user.status() != UserStatus.ACTIVE) {
            throw AccountOnboarding.inactive(account.identity());
        }
        return store.markActive(tx, user.id(), onboarding.now())
                .map(onboarding.session(account.identity(), user, projectId));
    }

    private Future<Session> arriving(Tx tx, Principal by, ManagedPerson person, String projectId) {
        var now = onboarding.now();
        var identity = identityOf(person.email(), person.firstName(), person.lastName(), IdentityProvider.JWT);
        var user = new User(
                Ids.next(),
                now,
                now,
                identity.id(),
                person.platformId(),
                PlatformRole.MEMBER,
                UserStatus.ACTIVE,
                person.externalId(),
                now);
        return store.insert(tx, identity)
                .compose(_ -> store.insert(tx, user))
                .compose(_ -> onboarding.recorded(
                        tx, EventAction.USER_SIGNED_UP, by, onboarding.session(identity, user, projectId)));
    }

    private UserIdentity identityOf(String email, String firstName, String lastName, IdentityProvider provider) {
        return new UserIdentity(
                Ids.next(), onboarding.now(), email, null, firstName, lastName, provider, true, false, false, null);
    }
}
