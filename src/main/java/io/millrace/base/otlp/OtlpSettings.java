package io.millrace.base.otlp;

import java.net.URI;
import java.time.Duration;
import java.util.Map;

/**
 * Address of a collector, and identity of the sender.
 *
 * @param headers of every request; they may hold credentials
 * @param resource attributes of this process
 */
public record OtlpSettings(
        URI traces, URI logs, Map<String, String> headers, Duration timeout, Map<String, String> resource) {
    public OtlpSettings {
        headers = Map.copyOf(headers);
        resource = Map.copyOf(resource);
    }

    @Override
    public String toString() {
        return "OtlpSettings[" + traces + ", " + logs + "]";
    }
}
