package io.millrace.piece.model;

import io.vertx.core.buffer.Buffer;
import java.util.OptionalDouble;

/**
 * An image that a model made.
 *
 * @param credits what it took of the platform's AI credits; empty where a key of one's own was used
 */
public record ModelImage(Buffer data, OptionalDouble credits) {}
