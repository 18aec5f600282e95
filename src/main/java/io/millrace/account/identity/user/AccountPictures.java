package io.millrace.account.identity.user;

import io.millrace.account.platform.UnusedPictures;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;

/** Tells the platform module which images accounts still show. */
public final class AccountPictures implements UnusedPictures {
    private final UnusedPictureStore store = new UnusedPictureStore();

    @Override
    public Future<Void> remove(Tx tx, String platformId) {
        return store.remove(tx, platformId);
    }
}
