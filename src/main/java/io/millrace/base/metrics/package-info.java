/**
 * Metrics of the server: counters, histograms of fixed buckets, and gauges that are computed at each read. Counting costs an
 * addition and allocates nothing; the labels of each are fixed when it is made (decision 0132). Each event loop has separate
 * sums (decision 0132).
 *
 * <p>Start reading at {@link io.millrace.base.metrics.ServerMeter}, which has all names. Independent of the measured
 * components.
 */
package io.millrace.base.metrics;
