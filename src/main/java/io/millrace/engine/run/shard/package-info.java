/**
 * A shard: the live runs of one event loop.
 *
 * <p>Start reading at {@link io.millrace.engine.run.shard.RunVerticle}: it creates the parts, assigns them their
 * addresses, and is the clock and the reader of the runs that they begin. Makes no decisions itself.
 */
package io.millrace.engine.run.shard;
