package io.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Code that holds a database connection asks no other module and waits for no worker thread (decision 0042). Checks
 * methods with a {@code Tx tx} and lambdas of {@code tx}; does not find a call through another method without one.
 */
final class TransactionWaitTest {
    private static final Path MAIN = Path.of("src", "main", "java");

    private static final Pattern METHOD = Pattern.compile("\\b(\\w+)\\((?:[^(){};]*,\\s*)?Tx tx\\b[^(){};]*\\)\\s*\\{");
    private static final Pattern LAMBDA =
            Pattern.compile("\\b(inTransaction|recordingEffect|read)\\((?:[\\w.]+,\\s*)?\\(?tx\\b[^>]{0,40}->");
    private static final Pattern WAIT = Pattern.compile("\\.ask\\(|\\bexecuteBlocking\\(|\\bblocking\\(");

    @Test
    void transactionsWaitForTheirStatementsOnly() throws IOException {
        try (var files = Files.walk(MAIN)) {
            var found = new ArrayList<String>();
            var read = 0;
            for (var file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                var source = Files.readString(file);
                read += bodies(source).size();
                waits(source).forEach(name -> found.add(MAIN.relativize(file) + ": " + name));
            }

            assertThat(found).isEmpty();
            assertThat(read).isGreaterThan(1_000);
        }
    }

    @Test
    void waitsOfAMethodAndOfALambda_areFound() {
        assertThat(waits("Future<Void> land(Tx tx, String id) { return bus.ask(new Gate(id), 1); }"))
                .containsExactly("land");
        assertThat(waits("database.inTransaction(tx -> store.find(tx).compose(_ -> vertx.executeBlocking(work)))"))
                .containsExactly("inTransaction");
        assertThat(waits("database.read(tx -> store.find(tx)).compose(_ -> vertx.executeBlocking(work))"))
                .isEmpty();
    }

    private record Body(String name, String text) {}

    private static List<String> waits(String source) {
        return bodies(source).stream()
                .filter(body -> WAIT.matcher(body.text()).find())
                .map(Body::name)
                .toList();
    }

    private static List<Body> bodies(String source) {
        var bodies = new ArrayList<Body>();
        var methods = METHOD.matcher(source);
        while (methods.find()) {
            bodies.add(new Body(methods.group(1), enclosed(source, methods.end() - 1, '{', '}')));
        }
        var lambdas = LAMBDA.matcher(source);
        while (lambdas.find()) {
            bodies.add(new Body(lambdas.group(1), enclosed(source, source.indexOf('(', lambdas.start()), '(', ')')));
        }
        return bodies;
    }

    private static String enclosed(String source, int from, char opening, char closing) {
        var depth = 0;
        for (var i = from; i < source.length(); i++) {
            depth += source.charAt(i) == opening ? 1 : source.charAt(i) == closing ? -1 : 0;
            if (depth == 0) {
                return source.substring(from, i);
            }
        }
        return source.substring(from);
    }
}
