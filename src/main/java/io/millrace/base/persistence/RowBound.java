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
                : Future.failedFuture(ApiException.of(
                        ErrorCode.VALIDATION,
                        rows + ": expected at most " + max + " in the " + owner + ", found " + (count - 1)
                                + " and another; delete some or raise " + setting));
    }
}
