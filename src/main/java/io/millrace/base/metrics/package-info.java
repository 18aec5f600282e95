/**
 * What the server counts of itself: counters, histograms of fixed buckets and figures that are asked for when somebody reads
 * them. Counting costs an addition and makes nothing; the labels of each are fixed when it is made (decision 0195). An event loop
 * counts for itself (decision 0307).
 *
 * <p>Start reading at {@link io.millrace.base.metrics.ServerMeter}, which has all names. Knows nobody who is measured.
 */
package io.millrace.base.metrics;
