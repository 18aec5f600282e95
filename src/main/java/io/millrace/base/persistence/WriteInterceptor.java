package io.millrace.base.persistence;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.function.Supplier;

/**
 * What durable writes pass on their way to the database and back. A server has none but {@link #NONE}; who starts one
 * otherwise, such as a test of durability, gives it to {@link Database#open(io.vertx.core.Vertx, DatabaseSettings,
 * WriteInterceptor)}.
 */
public interface WriteInterceptor {
    /** Lets everything pass. */
    WriteInterceptor NONE = new WriteInterceptor() {};

    /**
     * Performs a transaction that holds writes.
     *
     * @param writes their kinds, worked out only for who asks
     */
    default <T> Future<T> perform(
            Supplier<? extends Collection<? extends DurableWrite>> writes, Supplier<Future<T>> transaction) {
        return transaction.get();
    }

    /**
     * Answers the caller of a write that others share a transaction with.
     *
     * @param success what the caller learns once the write is durable
     */
    default <T> Future<T> answer(T success, Supplier<Future<T>> write) {
        return write.get();
    }
}
