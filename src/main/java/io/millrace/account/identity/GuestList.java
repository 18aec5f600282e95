package io.millrace.account.identity;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;

/** Addresses that may sign up by invitation. Implemented by a module above; plugged in at start. */
public interface GuestList {
    /** True when an accepted invitation to the platform exists for this address. */
    Future<Boolean> expects(Tx tx, String platformId, String email);

    /** Gives a new user the roles of the accepted invitations of the address, and deletes these. */
    Future<Void> welcome(Tx tx, User user, String email);
}
