package io.millrace.engine.run.start;

import io.millrace.engine.run.RunWrite;
import io.vertx.core.buffer.Buffer;

/**
 * A run to be stored as a row without an owner.
 *
 * @param key deduplication key, or null
 * @param payload output of the trigger, without the key
 */
record IngestedRun(RunWrite.RunHeader header, DedupeKey key, Buffer payload) {}
