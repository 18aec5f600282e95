package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Unit tests of the console's logic, in {@code *.test.ts} files next to their subjects. The build has bundled each;
 * they are executed here without a browser and without Node.js.
 */
final class ConsoleLogicTest {
    private final List<Context> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(Context::close);
    }

    @TestFactory
    Stream<DynamicContainer> everyTestOfTheConsole() throws IOException {
        var folder = Path.of("target/test-classes/console");
        List<Path> scripts;
        try (var files = Files.walk(folder)) {
            scripts = files.filter(file -> file.toString().endsWith(".test.js"))
                    .sorted()
                    .toList();
        }
        assertThat(scripts).isNotEmpty();
        return scripts.stream()
                .map(script -> DynamicContainer.dynamicContainer(
                        folder.relativize(script).toString(), testsOf(script)));
    }

    private Stream<DynamicTest> testsOf(Path script) {
        // Not compiled to machine code: the tests end before that would pay off.
        var context = Context.newBuilder("js")
                .option("engine.WarnInterpreterOnly", "false")
                .build();
        open.add(context);
        try {
            context.eval(Source.newBuilder("js", script.toFile()).build());
        } catch (IOException unreadable) {
            throw new java.io.UncheckedIOException(unreadable);
        }
        var tests = context.getBindings("js").getMember("consoleTests");
        assertThat(tests).as(script + " has tests").isNotNull();
        return Stream.iterate(0L, index -> index + 1)
                .limit(tests.getArraySize())
                .map(tests::getArrayElement)
                .map(ConsoleLogicTest::asTest);
    }

    private static DynamicTest asTest(Value test) {
        return DynamicTest.dynamicTest(
                test.getMember("name").asString(),
                () -> settle(test.getMember("perform").execute()));
    }

    /** Fails like a rejected promise. The engine has run all reactions when a call from here returns. */
    private static void settle(Value outcome) {
        if (outcome.canInvokeMember("then")) {
            var settled = new ArrayList<String>();
            outcome.invokeMember("then", (ProxyExecutable) _ -> settled.add("done"), (ProxyExecutable)
                    arguments -> settled.add(arguments[0].toString()));
            assertThat(settled).as("outcome of the promise").containsExactly("done");
        }
    }
}
