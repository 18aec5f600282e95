package io.millrace.account.identity.user;

import io.millrace.account.platform.UnusedPictures;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;

/** Removes the images that neither the platform nor an account shows. */
public final class AccountPictures implements UnusedPictures {
    private final UnusedPictureStore store = new UnusedPictureStore();

    @Override
    public Future<Void> remove(Tx tx, String platformId) {
        return store.remove(tx, platformId);
    }
}
