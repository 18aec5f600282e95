package io.millrace.engine.run.start;

import io.millrace.engine.run.RunWrite;
import io.vertx.core.buffer.Buffer;

/**
 * A run that is taken in as a row.
 *
 * @param key by which it is told from others, or null
 * @param payload output of the trigger, without the key
 */
record IngestedRun(RunWrite.RunHeader header, DedupeKey key, Buffer payload) {}
