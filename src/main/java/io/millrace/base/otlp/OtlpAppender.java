package io.millrace.base.otlp;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;

public final class OtlpAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
    private final OtlpExporter exporter;

    public OtlpAppender(OtlpExporter exporter) {
        this.exporter = exporter;
    }

    @Override
    protected void append(ILoggingEvent event) {
        event.prepareForDeferredProcessing();
        exporter.take(event);
    }
}
