package io.millrace.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * Results of a load.
 *
 * @param latencies of the answers with the expected status, in microseconds
 * @param answered answers with that status
 * @param refused answers with another
 */
record LoadFigures(Histogram latencies, long answered, long refused, double seconds) {
    /** Latencies of up to a minute, to three digits. */
    static Histogram histogram() {
        return new Histogram(60_000_000, 3);
    }

    /** Of some rounds; not a number where there are none. */
    static double median(List<LoadFigures> rounds, ToDoubleFunction<LoadFigures> value) {
        var sorted = rounds.stream().mapToDouble(value).sorted().toArray();
        return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
    }

    double throughput() {
        return answered / seconds;
    }

    double medianMs() {
        return percentileMs(50);
    }

    double p99Ms() {
        return percentileMs(99);
    }

    double percentileMs(double percentile) {
        return latencies.getValueAtPercentile(percentile) / 1000.0;
    }

    /** With the calls that would have been made while an answer was late (coordinated omission). */
    LoadFigures corrected(int connections) {
        var intervalMicros = (long) Math.max(1, 1e6 * connections / throughput());
        return new LoadFigures(
                latencies.copyCorrectedForCoordinatedOmission(intervalMicros), answered, refused, seconds);
    }
}
