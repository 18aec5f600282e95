package io.millrace.day;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A constant number of webhook calls per second, whether or not earlier ones are answered. Each has a number; the
 * server must not lose numbers that got a 2xx.
 */
final class PacedLoad {
    private static final int CALLERS = 64;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final URI address;
    private final int perSecond;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final AtomicInteger next = new AtomicInteger();
    private final Set<Integer> accepted = new ConcurrentSkipListSet<>();
    private final AtomicInteger refused = new AtomicInteger();
    private final List<Thread> callers = new ArrayList<>();
    private final long began = System.nanoTime();
    private volatile boolean isOver;

    private PacedLoad(URI address, int perSecond) {
        this.address = address;
        this.perSecond = perSecond;
    }

    static PacedLoad start(URI address, int perSecond) {
        var load = new PacedLoad(address, perSecond);
        for (var caller = 0; caller < CALLERS; caller++) {
            load.callers.add(Thread.ofVirtual().start(load::call));
        }
        return load;
    }

    int accepted() {
        return accepted.size();
    }

    int refused() {
        return refused.get();
    }

    double perSecond() {
        return accepted.size() * 1e9 / (System.nanoTime() - began);
    }

    /** Stops the callers, waits for their responses, and returns the accepted numbers. */
    Set<Integer> finish() throws InterruptedException {
        isOver = true;
        for (var caller : callers) {
            caller.join();
        }
        http.close();
        return accepted;
    }

    private void call() {
        while (!isOver) {
            var number = next.getAndIncrement();
            LockSupport.parkNanos(began + (long) (number * 1e9 / perSecond) - System.nanoTime());
            if (!isOver) {
                call(number);
            }
        }
    }

    private void call(int number) {
        var body = "{\"customer\": \"customer-" + number + "\", \"quantity\": 3, \"price\": 19.5, \"number\": " + number
                + "}";
        var request = HttpRequest.newBuilder(address)
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        try {
            if (http.send(request, BodyHandlers.discarding()).statusCode() / 100 == 2) {
                accepted.add(number);
            } else {
                refused.incrementAndGet();
            }
        } catch (IOException gone) {
            refused.incrementAndGet();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            isOver = true;
        }
    }
}
