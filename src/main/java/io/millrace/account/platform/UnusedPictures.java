package io.millrace.account.platform;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;

/** Drops images that nobody shows any more. Accounts, which show some, live above: plugged in at start. */
@FunctionalInterface
public interface UnusedPictures {
    Future<Void> remove(Tx tx, String platformId);
}
