/**
 * A shard: the live runs of one event loop.
 *
 * <p>Start reading at {@link io.millrace.engine.run.shard.RunVerticle}: it makes the parts, says which address each
 * of them serves, and is the clock and the reader of the runs that they begin. Decides nothing itself.
 */
package io.millrace.engine.run.shard;
