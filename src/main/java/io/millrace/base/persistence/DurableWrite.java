package io.millrace.base.persistence;

/**
 * A kind of durable write. Modules enumerate the writes of their hot path and pass each through the database's {@link
 * WriteInterceptor}, so that a test can end the process before and after every one of them.
 */
public interface DurableWrite {
    /** The constant's name, which identifies it to an interceptor. */
    String name();
}
