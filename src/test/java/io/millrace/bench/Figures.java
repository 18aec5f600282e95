package io.millrace.bench;

import org.HdrHistogram.Histogram;

/**
 * What a load met.
 *
 * @param latencies of the answers with the status that was hoped for, in microseconds
 * @param refused answers with another status
 */
record Figures(Histogram latencies, long refused, double seconds) {
    /** Latencies of up to a minute, to three digits. */
    static Histogram histogram() {
        return new Histogram(60_000_000, 3);
    }

    double throughput() {
        return latencies.getTotalCount() / seconds;
    }

    double medianMs() {
        return latencies.getValueAtPercentile(50) / 1000.0;
    }

    double p99Ms() {
        return latencies.getValueAtPercentile(99) / 1000.0;
    }
}
