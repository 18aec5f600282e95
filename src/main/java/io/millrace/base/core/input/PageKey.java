package io.millrace.base.core.input;

import java.time.Instant;

/** Place of a row in a list: its creation time (microseconds) and, among equals, its id. */
public record PageKey(Instant created, String id) {}
