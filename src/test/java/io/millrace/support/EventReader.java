package io.millrace.support;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** Reads server-sent events of a run as they arrive. */
public final class EventReader implements AutoCloseable {
    private final Stream<String> lines;
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final Thread thread;

    /**
     * Server-sent event.
     *
     * @param id null if it has none
     */
    public record Event(String name, String id, JsonNode data) {}

    private EventReader(Stream<String> lines) {
        this.lines = lines;
        this.thread = Thread.ofVirtual().start(this::read);
    }

    /**
     * Opens a stream.
     *
     * @param lastEventId null for a first connection
     */
    public static EventReader open(ApiClient api, String path, String lastEventId) {
        return new EventReader(api.lines(path, lastEventId == null ? Map.of() : Map.of("Last-Event-ID", lastEventId)));
    }

    private void read() {
        try {
            var name = "";
            String id = null;
            for (var line : (Iterable<String>) lines::iterator) {
                if (line.startsWith("event: ")) {
                    name = line.substring("event: ".length());
                } else if (line.startsWith("id: ")) {
                    id = line.substring("id: ".length());
                } else if (line.startsWith("data: ")) {
                    events.add(new Event(name, id, Json.trusted(line.substring("data: ".length()))));
                    id = null;
                }
            }
        } catch (UncheckedIOException cutOff) {
            events.add(new Event("cut off", null, Json.object().put("why", cutOff.getMessage())));
        }
    }

    public List<Event> events() {
        return List.copyOf(events);
    }

    /** Data of the event with an id. */
    public JsonNode data(String id) {
        return events.stream()
                .filter(event -> id.equals(event.id()))
                .findFirst()
                .orElseThrow()
                .data();
    }

    /** Statuses of the run, in order. */
    public List<String> statuses() {
        return events.stream()
                .filter(event -> event.name().equals("run"))
                .map(event -> event.data().path("status").asText())
                .toList();
    }

    /** Number, name, path and status of each record. */
    public List<String> endedSteps() {
        return events.stream()
                .filter(event -> event.id() != null)
                .map(event -> event.id() + " " + place(event) + " "
                        + event.data().at("/output/status").asText())
                .toList();
    }

    /** Name and path of each step for which a begin event has arrived. */
    public List<String> startedSteps() {
        return events.stream()
                .filter(event -> event.data().at("/output/status").asText().equals("RUNNING"))
                .map(EventReader::place)
                .toList();
    }

    private static String place(Event event) {
        return event.data().path("name").asText() + " " + event.data().path("path");
    }

    public void awaitCount(String name, int count) {
        Waiting.until(
                count + " events " + name + ", found " + events,
                () -> events.stream().filter(event -> event.name().equals(name)).count() >= count);
    }

    public boolean hasEnded() {
        return !thread.isAlive();
    }

    public void awaitEnd() {
        Waiting.until("the stream has ended, found " + events, this::hasEnded);
    }

    @Override
    public void close() {
        lines.close();
    }
}
