package io.millrace.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Snippets of code with the results of plain Node.js, for comparison with the executors of code steps. The documented
 * differences are read from the site: an unlisted difference fails a test, and so does a listed one that no longer
 * exists.
 */
public final class CodeOracle {
    private static final Path CORPUS = Path.of("src/test/resources/code/corpus.js");
    private static final Path PAGE = Path.of("src/site/markdown/code-differences.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\|");
    private static final long DEADLINE_SECONDS = 120;

    private CodeOracle() {}

    /** Body of an asynchronous function that returns the results by the names of the snippets. */
    public static String corpus() throws IOException {
        return Files.readString(CORPUS);
    }

    /** Results of plain Node.js as JSON. Skips the test where Node.js is missing. */
    public static JsonNode expected() throws IOException, InterruptedException {
        var script = Files.createTempFile("corpus", ".js");
        try {
            Files.writeString(
                    script,
                    "(async () => {" + corpus() + "})().then((all) => process.stdout.write(JSON.stringify(all)));");
            var builder = new ProcessBuilder("node", script.toString()).redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().put("TZ", "UTC");
            var node = started(builder);
            var output = node.getInputStream().readAllBytes();
            if (!node.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                node.destroyForcibly();
                throw new AssertionError("expected Node.js to end within " + DEADLINE_SECONDS + " s");
            }
            return Json.trusted(new String(output, UTF_8));
        } finally {
            Files.delete(script);
        }
    }

    private static Process started(ProcessBuilder builder) {
        try {
            return builder.start();
        } catch (IOException missing) {
            assumeTrue(false, "Node.js is not on the PATH");
            throw new AssertionError(missing);
        }
    }

    /** Snippets whose result differs from plain Node.js, with both results. */
    public static Map<String, String> differences(JsonNode expected, JsonNode found) {
        var differences = new TreeMap<String, String>();
        expected.properties().forEach(result -> {
            var other = found.path(result.getKey());
            if (!result.getValue().equals(other)) {
                differences.put(result.getKey(), "Node.js: " + result.getValue() + ", here: " + other);
            }
        });
        return differences;
    }

    /** Names of the snippets that the page lists below a heading. */
    public static Set<String> documented(String heading) throws IOException {
        var page = Files.readString(PAGE);
        var from = page.indexOf("## " + heading);
        var to = page.indexOf("\n## ", from + 1);
        var names = new TreeSet<String>();
        ROW.matcher(page.substring(from, to < 0 ? page.length() : to))
                .results()
                .forEach(row -> names.add(row.group(1)));
        return names;
    }
}
