package io.millrace.app;

import io.millrace.base.config.OpenTelemetrySettings;
import io.millrace.base.otlp.OtlpAppender;
import io.millrace.base.otlp.OtlpExporter;
import io.millrace.base.otlp.OtlpSettings;
import io.millrace.base.trace.Sampler;
import io.millrace.base.trace.Tracer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Optional;

/** Export of traces and logs to an OpenTelemetry collector while a server runs; disabled by default. */
record Telemetry(Tracer tracer, Optional<OtlpExporter> exporter, Optional<OtlpAppender> appender) {
    static Telemetry start(OpenTelemetrySettings settings, String nodeId) {
        if (!settings.sendsLog() && !settings.sendsTraces()) {
            return new Telemetry(Tracer.OFF, Optional.empty(), Optional.empty());
        }
        var resource = new HashMap<>(settings.resource());
        resource.put("service.version", Server.VERSION);
        resource.put("service.instance.id", nodeId);
        var exporter = OtlpExporter.start(
                new OtlpSettings(settings.traces(), settings.log(), settings.headers(), settings.timeout(), resource));
        var tracer = settings.sendsTraces()
                ? Tracer.to(
                        new Sampler(
                                settings.sampling().followsParent(),
                                settings.sampling().share()),
                        exporter::take)
                : Tracer.OFF;
        var appender = Optional.of(exporter).filter(_ -> settings.sendsLog()).map(OtlpAppender::new);
        appender.ifPresent(LogOutput::add);
        return new Telemetry(tracer, Optional.of(exporter), appender);
    }

    /** Flushes pending data, for two seconds at most. */
    Future<Void> stop(Vertx vertx) {
        appender.ifPresent(LogOutput::remove);
        return exporter.isEmpty()
                ? Future.succeededFuture()
                : vertx.executeBlocking(() -> {
                    exporter.get().close();
                    return null;
                });
    }
}
