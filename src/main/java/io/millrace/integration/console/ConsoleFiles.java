package io.millrace.integration.console;

import io.millrace.base.secret.Hashes;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The files of the console in this build: a few hundred kilobytes, each loaded at its first request and cached. */
final class ConsoleFiles {
    private static final int TAG_BYTES = 8;
    private static final String PLACE = "/console/";
    private static final Map<String, String> TYPES = Map.of(
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "png", "image/png",
            "json", "application/json; charset=utf-8");

    private final Set<String> names;
    private final Map<String, Future<ConsoleFile>> files = new ConcurrentHashMap<>();
    private final String page;
    private final String guestPage;

    /**
     * One file.
     *
     * @param compressed content as gzip; null if compression does not make it smaller
     * @param tag the entity tag
     */
    record ConsoleFile(Buffer plain, Buffer compressed, String contentType, String tag) {}

    private ConsoleFiles(Set<String> names, String page, String guestPage) {
        this.names = names;
        this.page = page;
        this.guestPage = guestPage;
    }

    static ConsoleFiles ofThisBuild() {
        var names = read("index")
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .orElse("");
        return new ConsoleFiles(
                names.lines().collect(Collectors.toUnmodifiableSet()), html("index.html"), html("guest.html"));
    }

    private static String html(String name) {
        return read(name)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .orElse("<!doctype html><title>Millrace</title><p>This build has no console.</p>");
    }

    Future<Optional<ConsoleFile>> find(Vertx vertx, String name) {
        if (!names.contains(name)) {
            return Future.succeededFuture(Optional.empty());
        }
        return files.computeIfAbsent(name, key -> vertx.executeBlocking(() -> file(key), false))
                .map(Optional::of);
    }

    /**
     * The page that loads the console.
     *
     * @param prefix path in front of every path of this server, escaped
     */
    String page(String prefix) {
        return page.replace("{{prefix}}", prefix);
    }

    /**
     * The page that loads the forms and chats of guests.
     *
     * @param prefix way from the page to the root of this server
     */
    String guestPage(String prefix, GuestBrand brand) {
        return brand.fill(guestPage.replace("{{prefix}}", prefix), prefix);
    }

    private static ConsoleFile file(String name) {
        var plain = read("assets/" + name)
                .orElseThrow(() -> new IllegalStateException("console file " + name + " is missing from this build"));
        var ending = name.substring(name.lastIndexOf('.') + 1);
        return new ConsoleFile(
                Buffer.buffer(plain),
                read("assets/" + name + ".gz").map(Buffer::buffer).orElse(null),
                TYPES.getOrDefault(ending, "application/octet-stream"),
                tagOf(plain));
    }

    /** A weak tag, because the same content is sent compressed and plain. */
    static String tagOf(byte[] content) {
        return "W/\"" + HexFormat.of().formatHex(Hashes.sha256(content), 0, TAG_BYTES) + '"';
    }

    private static Optional<byte[]> read(String name) {
        try (var stream = ConsoleFiles.class.getResourceAsStream(PLACE + name)) {
            return stream == null ? Optional.empty() : Optional.of(stream.readAllBytes());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read console file " + name, unreadable);
        }
    }
}
