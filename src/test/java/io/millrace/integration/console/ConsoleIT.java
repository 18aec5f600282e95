package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.RawHttp;
import io.millrace.support.TestServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Console responses for browsers, and error responses for API clients that request an unknown address. */
final class ConsoleIT {
    private static final Map<String, String> BROWSER = Map.of("Accept", "text/html,application/xhtml+xml");
    private static final Pattern SCRIPT =
            Pattern.compile("<script type=\"module\" src=\"/flows(?<path>/assets/[^\"]+)\">");
    private static final Pattern SHARED =
            Pattern.compile("<link rel=\"modulepreload\" href=\"/flows(?<path>/assets/[^\"]+)\">");
    private static final Pattern IMPORT = Pattern.compile("(?:from|import) ?\"\\./(?<file>[^\"]+)\"");
    private static final Pattern LATER_IMPORT = Pattern.compile("import\\(\"\\./(?<file>[^\"]+)\"\\)");
    private static final int FIRST_LOAD_BYTES_MAX = 250_000;

    /** Connections of a browser to one host by HTTP/1.1: more files wait for the first ones. */
    private static final int FIRST_LOAD_FILES_MAX = 6;

    private static final int VIEW_BYTES_MAX = 165_000;

    @AutoClose
    private static TestServer server = TestServer.start(Map.of("AP_FRONTEND_URL", "https://mill.example/flows/"));

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void showsThePageAtEveryUnusedAddress() {
        for (var path : new String[] {
            "/",
            "/sign-in",
            "/invitation?token=%22%3E",
            "/projects/p/flows",
            "/projects/p/runs/r?status=FAILED",
            "/anything"
        }) {
            // When
            var page = get(path, BROWSER);

            // Then
            assertThat(page.statusCode()).as(path).isEqualTo(200);
            assertThat(header(page, "Content-Type")).isEqualTo("text/html; charset=utf-8");
            assertThat(header(page, "Content-Security-Policy"))
                    .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
                    .contains("frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'")
                    .doesNotContain("unsafe");
            assertThat(header(page, "X-Frame-Options")).isEqualTo("DENY");
            assertThat(header(page, "X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(header(page, "Referrer-Policy")).isEqualTo("no-referrer");
            assertThat(text(page))
                    .contains("data-prefix=\"/flows\"", "<noscript>")
                    .doesNotContain("{{", "<style", " style=", " onclick", "http://", "https://");
        }
    }

    @Test
    void answersProbesOfTheRoot() {
        for (var accept : List.of("", "*/*", "application/json")) {
            for (var method : List.of("GET", "HEAD")) {
                try (var connection = RawHttp.connect(server.port())) {
                    var head = accept.isEmpty() ? "" : "Accept: " + accept + "\n";
                    var answer = connection
                            .send(method + " / HTTP/1.1\nHost: h\n" + head + "\n")
                            .answer(method.equals("GET"));

                    assertThat(answer.status()).as(method + " " + accept).isEqualTo(200);
                }
            }
        }
    }

    @Test
    void leavesTheRestToTheApi() {
        // Then
        assertThat(get("/api/v1/nothing", BROWSER).statusCode()).isEqualTo(404);
        assertThat(get("/api", BROWSER).statusCode()).isEqualTo(404);
        assertThat(get("/v1/flows", Map.of("Accept", "application/json")).statusCode())
                .isEqualTo(404);
        assertThat(get("/v1/flows", Map.of()).statusCode()).isEqualTo(404);
        assertThat(get("/assets/nothing.js", BROWSER).statusCode()).isEqualTo(404);
        assertThat(get("/assets/..%2Findex.html", BROWSER).statusCode()).isEqualTo(404);
    }

    @Test
    void takesScriptsOfItsOwnFilesOnly_whereItsAddressIsTheBrowsersToo() {
        // When
        try (var browser = RawHttp.connect(server.port())) {
            var page = browser.send("GET / HTTP/1.1\nHost: mill.example\nAccept: text/html\n\n")
                    .answer();

            // Then
            assertThat(page.headers().get("content-security-policy"))
                    .contains("script-src https://mill.example/flows/assets/; style-src 'self'");
        }
    }

    @Test
    void redirectsSignUpToSignIn_withItsQueryAsItWas() {
        // When
        var plain = get("/sign-up", BROWSER);
        var full = get("/sign-up?email=a%40b.example&from=%2Fx%3Fy%3D1&a=1&a=2&%0d%0aX-Evil:%201", BROWSER);

        // Then
        assertThat(plain.statusCode()).isEqualTo(302);
        assertThat(header(plain, "Location")).isEqualTo("/flows/sign-in");
        assertThat(header(full, "Location"))
                .isEqualTo("/flows/sign-in?email=a%40b.example&from=%2Fx%3Fy%3D1&a=1&a=2&%0d%0aX-Evil:%201");
        assertThat(full.headers().firstValue("X-Evil")).isEmpty();
    }

    @Test
    void isNotSentAgainWhenItIsKnown() {
        // Given
        var page = get("/", BROWSER);

        // When
        var again = get("/", Map.of("Accept", "text/html", "If-None-Match", header(page, "ETag")));

        // Then
        assertThat(header(page, "Cache-Control")).isEqualTo("no-cache");
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
    }

    @Test
    void letsFilesWithHashesBeKeptForEver() throws IOException {
        // Given
        var shared = SHARED.matcher(text(get("/", BROWSER)));
        assertThat(shared.find()).isTrue();
        var script = shared.group("path");

        // When
        var plain = get(script, Map.of());
        var small = get(script, Map.of("Accept-Encoding", "gzip, br"));
        var known = get(script, Map.of("If-None-Match", header(plain, "ETag")));

        // Then
        assertThat(header(plain, "Content-Type")).isEqualTo("text/javascript; charset=utf-8");
        assertThat(header(plain, "Cache-Control")).contains("immutable");
        assertThat(header(small, "Content-Encoding")).isEqualTo("gzip");
        assertThat(header(small, "Vary")).isEqualTo("Accept-Encoding");
        assertThat(new GZIPInputStream(new ByteArrayInputStream(small.body())).readAllBytes())
                .isEqualTo(plain.body());
        assertThat(known.statusCode()).isEqualTo(304);
        assertThat(header(get("/assets/logo-icon.svg", Map.of()), "Cache-Control"))
                .isEqualTo("no-cache");
    }

    @Test
    void loadsLittleAtFirst() {
        // When
        var page = text(get("/", BROWSER));
        var files = withImports(scriptOf(page), new HashSet<>());
        Pattern.compile("/flows(/assets/[^\"]+)\"").matcher(page).results().forEach(found -> files.add(found.group(1)));
        var bytes = page.length() + files.stream().mapToInt(this::bytesOf).sum();

        // Then
        System.out.println("The console loads " + bytes + " bytes at first, in " + files.size() + " files");
        assertThat(bytes).isBetween(10_000, FIRST_LOAD_BYTES_MAX);
        assertThat(files).hasSizeLessThanOrEqualTo(FIRST_LOAD_FILES_MAX);
    }

    /** Sizes of views and of files loaded lazily by a view, such as the code editor or a dialog. */
    @Test
    void loadsLittleMoreForEachView() {
        // Given
        var main = scriptOf(text(get("/", BROWSER)));
        var first = withImports(main, new HashSet<>());
        var views = laterImports(first);

        // Then
        assertThat(views).hasSizeGreaterThan(30);
        var largest = 0;
        for (var view : views) {
            var more = withImports(view, new HashSet<>(first)).stream()
                    .filter(file -> !first.contains(file))
                    .mapToInt(this::bytesOf)
                    .sum();
            largest = Math.max(largest, more);
            assertThat(more).as(view).isBetween(100, VIEW_BYTES_MAX);
        }
        System.out.println("The largest of " + views.size() + " views loads " + largest + " bytes more");
    }

    /** All files that are loaded on demand by the given ones, directly or indirectly. */
    private Set<String> laterImports(Set<String> from) {
        var found = new HashSet<String>();
        var looked = new HashSet<String>();
        var next = new ArrayDeque<>(from);
        while (!next.isEmpty()) {
            var script = next.remove();
            if (!looked.add(script)) {
                continue;
            }
            LATER_IMPORT.matcher(text(get(script, Map.of()))).results().forEach(later -> {
                var view = "/assets/" + later.group("file");
                found.add(view);
                next.addAll(withImports(view, new HashSet<>()));
            });
        }
        return found;
    }

    private int bytesOf(String path) {
        return get(path, Map.of("Accept-Encoding", "gzip")).body().length;
    }

    /** A script with its static imports. */
    private Set<String> withImports(String path, Set<String> known) {
        if (known.add(path)) {
            IMPORT.matcher(text(get(path, Map.of())))
                    .results()
                    .forEach(found -> withImports("/assets/" + found.group("file"), known));
        }
        return known;
    }

    private static String scriptOf(String page) {
        var script = SCRIPT.matcher(page);
        assertThat(script.find()).isTrue();
        return script.group("path");
    }

    private HttpResponse<byte[]> get(String path, Map<String, String> headers) {
        var request = HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path));
        headers.forEach(request::header);
        return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray())
                .join();
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    @Test
    void answersCrawlersAndIconsInTheirOwnFormat() {
        var robots = get("/robots.txt", BROWSER);
        var icon = get("/favicon.ico", BROWSER);

        assertThat(robots.statusCode()).isEqualTo(200);
        assertThat(header(robots, "Content-Type")).startsWith("text/plain");
        assertThat(icon.statusCode()).isEqualTo(302);
        assertThat(header(icon, "Location")).isEqualTo("/flows/assets/favicon.svg");
    }
}
