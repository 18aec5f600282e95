package io.millrace.account.platform;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;

/** Removes images that are no longer in use. Accounts, which use some, belong to a module above: plugged in at start. */
@FunctionalInterface
public interface UnusedPictures {
    Future<Void> remove(Tx tx, String platformId);
}
