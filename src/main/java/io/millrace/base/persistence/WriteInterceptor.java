package io.millrace.base.persistence;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.function.Supplier;

/**
 * Hook around durable writes to the database. A server uses {@link #NONE}; a test of durability passes another to
 * {@link Database}.
 */
public interface WriteInterceptor {
    WriteInterceptor NONE = new WriteInterceptor() {};

    /**
     * Performs a transaction that holds writes.
     *
     * @param writes their kinds, computed only on demand
     */
    default <T> Future<T> perform(
            Supplier<? extends Collection<? extends DurableWrite>> writes, Supplier<Future<T>> transaction) {
        return transaction.get();
    }

    /**
     * Answers the caller of a write that shares its transaction with others.
     *
     * @param success result for the caller once the write is durable
     */
    default <T> Future<T> answer(T success, Supplier<Future<T>> write) {
        return write.get();
    }
}
