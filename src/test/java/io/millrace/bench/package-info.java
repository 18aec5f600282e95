/**
 * Benchmark of {@code scripts/bench}: the packaged server and a bare one, each in a separate process, under the same
 * load from a third. Contains no test; its figures depend on the machine, so only ratios within one run are meaningful.
 *
 * <p>Start reading at {@link io.millrace.bench.Bench}. All load goes to the loopback address.
 */
package io.millrace.bench;
