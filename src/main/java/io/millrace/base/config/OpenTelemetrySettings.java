package io.millrace.base.config;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Export to an OpenTelemetry collector, configured by the variables of its specification (contract admin-api 0.85.4: the log;
 * traces are an addition).
 */
public record OpenTelemetrySettings(
        boolean sendsLog,
        boolean sendsTraces,
        URI log,
        URI traces,
        Map<String, String> headers,
        Duration timeout,
        Map<String, String> resource,
        Sampling sampling) {
    /**
     * Choice of the traces that are recorded.
     *
     * @param followsParent true if the sampling decision of a calling trace is followed
     * @param share of the traces that begin here that are recorded
     */
    public record Sampling(boolean followsParent, double share) {}

    public OpenTelemetrySettings {
        headers = Map.copyOf(headers);
        resource = Map.copyOf(resource);
    }

    static OpenTelemetrySettings read(SettingTexts texts) {
        var sampler = texts.text(Setting.OTEL_TRACES_SAMPLER);
        var resource = new LinkedHashMap<>(pairs(texts, Setting.OTEL_RESOURCE_ATTRIBUTES));
        resource.put("service.name", texts.text(Setting.OTEL_SERVICE_NAME));
        return new OpenTelemetrySettings(
                texts.flag(Setting.AP_OTEL_ENABLED),
                texts.flag(Setting.AP_OTEL_TRACES_ENABLED),
                address(texts, Setting.OTEL_EXPORTER_OTLP_LOGS_ENDPOINT, "/v1/logs"),
                address(texts, Setting.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, "/v1/traces"),
                pairs(texts, Setting.OTEL_EXPORTER_OTLP_HEADERS),
                Duration.ofMillis(texts.integer(Setting.OTEL_EXPORTER_OTLP_TIMEOUT)),
                resource,
                new Sampling(sampler.startsWith("parentbased_"), share(sampler, texts)));
    }

    private static URI address(SettingTexts texts, Setting own, String path) {
        return URI.create(texts.optional(own)
                .orElseGet(() -> texts.text(Setting.OTEL_EXPORTER_OTLP_ENDPOINT).replaceAll("/+$", "") + path));
    }

    private static double share(String sampler, SettingTexts texts) {
        if (!sampler.endsWith("traceidratio")) {
            return sampler.endsWith("on") ? 1 : 0;
        }
        var text = texts.text(Setting.OTEL_TRACES_SAMPLER_ARG);
        return share(text)
                .orElseThrow(() -> new BadSetting(
                        Setting.OTEL_TRACES_SAMPLER_ARG + ": expected a share from 0 to 1, found " + text));
    }

    private static Optional<Double> share(String text) {
        try {
            return Optional.of(Double.valueOf(text)).filter(share -> share >= 0 && share <= 1);
        } catch (NumberFormatException none) {
            return Optional.empty();
        }
    }

    /** Names and values between commas; the message of a refusal holds no value, which may be a secret. */
    private static Map<String, String> pairs(SettingTexts texts, Setting setting) {
        var pairs = new LinkedHashMap<String, String>();
        for (var word : texts.words(setting)) {
            var equals = word.indexOf('=');
            if (equals < 1) {
                throw new BadSetting(setting + ": expected name=value pairs separated by commas, found other text");
            }
            pairs.put(
                    word.substring(0, equals).strip(),
                    decoded(setting, word.substring(equals + 1).strip()));
        }
        return pairs;
    }

    private static String decoded(Setting setting, String value) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw new BadSetting(setting + ": expected percent-encoded values, found other text");
        }
    }

    /** Headers may hold credentials. */
    @Override
    public String toString() {
        return "OpenTelemetrySettings[" + sendsLog + ", " + sendsTraces + "]";
    }
}
