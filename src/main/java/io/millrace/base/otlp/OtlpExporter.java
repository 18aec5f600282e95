package io.millrace.base.otlp;

import ch.qos.logback.classic.spi.ILoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.trace.Span;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends spans and log lines to a collector in batches from a dedicated thread. Callers never block: items are dropped while
 * the queue is full or after several failed tries, and their number is logged.
 *
 * <p>The operator names the collector, which is often on this host, so that the guard of outbound calls does not apply.
 */
public final class OtlpExporter implements AutoCloseable {
    static final int WAITING_MAX = 16_384;

    private static final Logger LOG = LoggerFactory.getLogger(OtlpExporter.class);

    private static final int BATCH_MAX = 512;
    private static final long COLLECTED_MS = 1_000;
    private static final int TRIES = 3;
    private static final long FIRST_PAUSE_MS = 500;
    private static final Duration STOP = Duration.ofSeconds(2);
    private static final long SAY_EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Last element of the queue: ends the sender. */
    private static final Object END = new Object();

    private final OtlpSettings settings;
    private final ArrayBlockingQueue<Object> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
    private final LongAdder dropped = new LongAdder();
    private final Thread sender = new Thread(this::sendAll, "otlp");
    private long saidNanos = System.nanoTime() - SAY_EVERY_NANOS;
    private volatile boolean stopping;

    private OtlpExporter(OtlpSettings settings) {
        this.settings = settings;
    }

    /** Starts the sender thread. */
    public static OtlpExporter start(OtlpSettings settings) {
        var exporter = new OtlpExporter(settings);
        exporter.sender.setDaemon(true);
        exporter.sender.start();
        return exporter;
    }

    public void take(Span span) {
        offer(span);
    }

    /** The event must be prepared to be read by another thread. */
    void take(ILoggingEvent event) {
        offer(event);
    }

    private void offer(Object item) {
        if (!waiting.offer(item)) {
            dropped.increment();
        }
    }

    /** Sends the pending items, for two seconds at most. */
    @Override
    public void close() {
        stopping = true;
        // Wakes the sender up; where the queue is full it is awake.
        waiting.offer(END);
        try {
            sender.join(STOP);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void sendAll() {
        try (var client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(settings.timeout())
                .build()) {
            while (!stopping) {
                guarded(client, collected(), TRIES);
            }
            var rest = new ArrayList<Object>();
            waiting.drainTo(rest);
            guarded(client, rest, 1);
        }
    }

    /** The thread must survive any exception of the toString method of a logged value. */
    private void guarded(HttpClient client, List<Object> items, int tries) {
        try {
            send(client, items, tries);
        } catch (RuntimeException defect) {
            LOG.error("cannot encode spans and log lines for the collector", defect);
            dropped.add(items.size());
        }
    }

    /** Items of one second, or as many as one request holds. */
    private List<Object> collected() {
        var items = new ArrayList<Object>();
        var end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(COLLECTED_MS);
        try {
            while (items.size() < BATCH_MAX) {
                var next = waiting.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (next == null) {
                    return items;
                }
                items.add(next);
                waiting.drainTo(items, BATCH_MAX - items.size());
                if (stopping) {
                    return items;
                }
            }
        } catch (InterruptedException ended) {
            stopping = true;
        }
        return items;
    }

    private void send(HttpClient client, List<Object> items, int tries) {
        var spans = items.stream()
                .filter(Span.class::isInstance)
                .map(Span.class::cast)
                .toList();
        var lines = items.stream()
                .filter(ILoggingEvent.class::isInstance)
                .map(ILoggingEvent.class::cast)
                .toList();
        if (!spans.isEmpty()) {
            send(client, settings.traces(), OtlpJson.traces(settings.resource(), spans), spans.size(), tries);
        }
        if (!lines.isEmpty()) {
            send(client, settings.logs(), OtlpJson.logs(settings.resource(), lines), lines.size(), tries);
        }
        say();
    }

    private void send(HttpClient client, URI address, JsonNode body, int count, int tries) {
        var request = HttpRequest.newBuilder(address)
                .timeout(settings.timeout())
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(Json.bytes(body)));
        settings.headers().forEach(request::setHeader);
        var pauseMs = FIRST_PAUSE_MS;
        for (var left = tries; left > 0; left--) {
            var status = statusOf(client, request.build());
            if (status >= 200 && status < 300) {
                return;
            }
            if (!isToRepeat(status) || left == 1 || !paused(pauseMs)) {
                break;
            }
            pauseMs *= 2;
        }
        dropped.add(count);
    }

    /** 0 when there is no answer. */
    private static int statusOf(HttpClient client, HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.discarding()).statusCode();
        } catch (IOException unreachable) {
            return 0;
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    /** The statuses that the protocol calls retryable, and no answer at all. */
    private static boolean isToRepeat(int status) {
        return status == 0 || status == 429 || status == 502 || status == 503 || status == 504;
    }

    /** False when the process ends meanwhile. */
    private boolean paused(long durationMs) {
        var end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(durationMs);
        while (!stopping && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(this, end - System.nanoTime());
        }
        return !stopping;
    }

    private void say() {
        if (System.nanoTime() - saidNanos >= SAY_EVERY_NANOS) {
            var lost = dropped.sumThenReset();
            if (lost > 0) {
                saidNanos = System.nanoTime();
                LOG.warn("dropped {} spans and log lines: the collector did not accept them", lost);
            }
        }
    }
}
