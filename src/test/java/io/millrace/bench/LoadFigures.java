package io.millrace.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * Results of a load.
 *
 * @param latencies latencies of the responses with the expected status, in microseconds
 * @param answered number of responses with that status
 * @param refused number of responses with another status
 */
record LoadFigures(Histogram latencies, long answered, long refused, double seconds) {
    /** Latencies of up to a minute, to three digits. */
    static Histogram histogram() {
        return new Histogram(60_000_000, 3);
    }

    /** Throughput of some rounds; NaN without rounds. */
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

    /** Includes the calls that would have been made while a response was late (coordinated omission). */
    LoadFigures corrected(int connections) {
        var intervalMicros = (long) Math.max(1, 1e6 * connections / throughput());
        return new LoadFigures(
                latencies.copyCorrectedForCoordinatedOmission(intervalMicros), answered, refused, seconds);
    }
}
