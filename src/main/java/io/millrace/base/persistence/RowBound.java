package io.millrace.base.persistence;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.vertx.core.Future;

/**
 * Limit of the rows of one kind of an owner. Additions to the same rows exclude each other until their transactions end, so
 * that the limit is exact; the check follows the insert, so that an overwritten row is distinguished from a new one, and a
 * refusal leaves no row.
 *
 * @param max rows of one kind
 * @param setting that an operator raises
 */
public record RowBound(int max, String setting) {
    /**
     * Waits until no other transaction adds to the same rows. Precedes the insert: a transaction that waited with a row of a
     * unique name could block the one that it waits for.
     *
     * @param rows plural of the kind, for example {@code folders}
     * @param owner of the rows, for example {@code project}
     * @param ownerId identifies the owner
     */
    public Future<Addition> begin(Tx tx, String rows, String owner, String ownerId) {
        return tx.exclusive("rows/" + rows + "/" + ownerId).map(new Addition(this, rows, owner));
    }

    /** Exclusive right of a transaction to add rows of a kind. */
    public static final class Addition {
        private final RowBound bound;
        private final String rows;
        private final String owner;

        private Addition(RowBound bound, String rows, String owner) {
            this.bound = bound;
            this.rows = rows;
            this.owner = owner;
        }

        /**
         * Fails with VALIDATION when the inserted row is one too many.
         *
         * @param count rows of the owner, the inserted one included
         */
        public Future<Void> check(long count) {
            return count <= bound.max()
                    ? Future.succeededFuture()
                    : Future.failedFuture(bound.refusal(rows, owner, "delete some or raise "));
        }

        /** The same for rows that no caller can delete. */
        public Future<Void> checkPermanent(long count) {
            return count <= bound.max()
                    ? Future.succeededFuture()
                    : Future.failedFuture(bound.refusal(rows, owner, "raise "));
        }
    }

    private ApiException refusal(String rows, String owner, String cure) {
        return ApiException.of(
                ErrorCode.VALIDATION,
                rows + ": expected at most " + max + " in the " + owner + ", found " + max + " and another; " + cure
                        + setting);
    }
}
