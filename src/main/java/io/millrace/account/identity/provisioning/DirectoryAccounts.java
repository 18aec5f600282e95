package io.millrace.account.identity.provisioning;

import io.millrace.account.identity.Account;
import io.millrace.account.identity.AccountOnboarding;
import io.millrace.account.identity.AccountStore;
import io.millrace.account.identity.IdentityProvider;
import io.millrace.account.identity.User;
import io.millrace.account.identity.UserIdentity;
import io.millrace.account.identity.UserStatus;
import io.millrace.account.identity.provisioning.DirectoryStore.Match;
import io.millrace.account.platform.PlatformService;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Accounts that an organization's directory manages: creates, renames and deactivates users (contract admin-api 35). Works in
 * the caller's transaction.
 */
public final class DirectoryAccounts {
    private final PlatformService platforms;
    private final AccountOnboarding onboarding;
    private final AccountStore accounts = new AccountStore();
    private final DirectoryStore store = new DirectoryStore();

    public DirectoryAccounts(PlatformService platforms, AccountOnboarding onboarding) {
        this.platforms = platforms;
        this.onboarding = onboarding;
    }

    /** Users of a platform, oldest first; empty filters match all. */
    public Future<List<DirectoryUser>> list(
            Tx tx, String platformId, Optional<String> userName, Optional<String> externalId, int offset, int limit) {
        return store.list(tx, new Match(platformId, userName, externalId), offset, limit);
    }

    public Future<Integer> count(Tx tx, String platformId, Optional<String> userName, Optional<String> externalId) {
        return store.count(tx, new Match(platformId, userName, externalId));
    }

    public Future<Optional<DirectoryUser>> find(Tx tx, String platformId, String userId) {
        return store.find(tx, platformId, userId);
    }

    /** As {@link #find}, and locks the user until the transaction ends. */
    public Future<Optional<DirectoryUser>> findToChange(Tx tx, String platformId, String userId) {
        return store.findToChange(tx, platformId, userId);
    }

    /**
     * A new user with the personal project. Fails with EXISTING_USER when the platform has a user of this address. The
     * person cannot sign in by a password until they have set one.
     */
    public Future<String> create(Tx tx, String platformId, DirectoryPerson person) {
        return accounts.lockSignUps(tx)
                .compose(_ -> accounts.find(tx, person.email(), platformId))
                .compose(found -> {
                    if (found.flatMap(Account::user).isPresent()) {
                        throw AccountOnboarding.existingUser(person.email(), platformId);
                    }
                    return found.isPresent()
                            ? Future.succeededFuture(found.get().identity())
                            : inserted(tx, person);
                })
                .compose(identity -> enrol(tx, platformId, identity, person));
    }

    private Future<UserIdentity> inserted(Tx tx, DirectoryPerson person) {
        var identity = new UserIdentity(
                Ids.next(),
                onboarding.now(),
                person.email(),
                null,
                person.firstName(),
                person.lastName(),
                IdentityProvider.SAML,
                true,
                false,
                false,
                null);
        return accounts.insert(tx, identity).map(identity);
    }

    private Future<String> enrol(Tx tx, String platformId, UserIdentity identity, DirectoryPerson person) {
        var now = onboarding.now();
        var user = new User(
                Ids.next(),
                now,
                now,
                identity.id(),
                platformId,
                person.role(),
                person.isActive() ? UserStatus.ACTIVE : UserStatus.INACTIVE,
                person.externalId().orElse(null),
                null);
        return onboarding
                .enrol(tx, identity, user, identity.firstName() + "'s Project")
                .compose(_ -> store.name(tx, user.id(), person.userName()))
                .map(user.id());
    }

    /**
     * Changes a user to the directory's data. Fails with VALIDATION for a change that would leave the platform without its
     * owner, and for a new address of a person with users on other platforms. The names of such a person stay unchanged too:
     * one directory cannot change data that several platforms share.
     */
    public Future<Void> update(Tx tx, String platformId, DirectoryUser user, DirectoryPerson person) {
        var isHarmful = !person.isActive() || person.role() != PlatformRole.ADMIN;
        return refuseOwner(tx, platformId, user.id(), isHarmful)
                .compose(_ -> refuseMove(tx, user, person))
                .compose(_ -> store.update(tx, user.id(), person, onboarding.now()));
    }

    private Future<Void> refuseOwner(Tx tx, String platformId, String userId, boolean isHarmful) {
        return platforms
                .find(tx, platformId)
                .compose(platform -> isHarmful && platform.ownerId().equals(userId)
                        ? refused("the owner of the platform must remain an active administrator")
                        : Future.succeededFuture());
    }

    private Future<Void> refuseMove(Tx tx, DirectoryUser user, DirectoryPerson person) {
        return user.person().email().equals(person.email())
                ? Future.succeededFuture()
                : store.isElsewhere(tx, user.id())
                        .compose(isElsewhere -> isElsewhere
                                ? refused("the address cannot be changed: the user belongs to other platforms as well")
                                : Future.succeededFuture());
    }

    private static Future<Void> refused(String message) {
        return Future.failedFuture(ApiException.of(ErrorCode.VALIDATION, message));
    }
}
