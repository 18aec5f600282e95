package io.millrace.base.persistence;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.vertx.core.Future;

/**
 * Limit of the rows of one kind of an owner. It is checked in the transaction that inserts a row, so that a refusal leaves no
 * row; creations at the same moment can exceed it by their number.
 *
 * @param max rows of one kind
 * @param setting that an operator raises
 */
public record RowBound(int max, String setting) {
    /**
     * Fails with VALIDATION when the inserted row is one too many.
     *
     * @param rows plural of the kind, for example {@code folders}
     * @param owner of the rows, for example {@code project}
     * @param count rows of the owner, the inserted one included
     */
    public Future<Void> check(String rows, String owner, long count) {
        return count <= max
                ? Future.succeededFuture()
                : Future.failedFuture(refusal(rows, owner, "delete some or raise "));
    }

    /** The same for rows that no caller can delete. */
    public Future<Void> checkPermanent(String rows, String owner, long count) {
        return count <= max ? Future.succeededFuture() : Future.failedFuture(refusal(rows, owner, "raise "));
    }

    /** Refusal of a row beyond the bound, for a statement that has counted the rows itself. */
    public ApiException refusal(String rows, String owner) {
        return refusal(rows, owner, "delete some or raise ");
    }

    private ApiException refusal(String rows, String owner, String cure) {
        return ApiException.of(
                ErrorCode.VALIDATION,
                rows + ": expected at most " + max + " in the " + owner + ", found " + max + " and another; " + cure
                        + setting);
    }
}
