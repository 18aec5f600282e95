package io.millrace.engine.run.actor;

/**
 * Bounds of one run.
 *
 * @param flowTimeoutMs longest execution between two pauses
 * @param logBytesMax largest log
 * @param sliceBytesMin outputs larger than this are stored apart from the log
 */
public record RunLimits(long flowTimeoutMs, long logBytesMax, long sliceBytesMin) {}
