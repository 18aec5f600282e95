package io.millrace.sandbox.code.worker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.EnvironmentAccess;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotAccess;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.io.IOAccess;
import org.graalvm.polyglot.proxy.ProxyExecutable;

/**
 * Runs one call at a time: a context of its own for each, one engine and cached sources for all, values as JSON text.
 *
 * <p>The context reaches nothing: no Java, file, process, environment, thread, native code or other language. Time is the
 * caller's business, through the {@link StopSignal}; memory is the process's.
 */
final class Sandbox {
    private static final String SCRIPTS = "/io/millrace/sandbox/code/worker/";
    private static final String MODULE = "application/javascript+module";
    private static final int SOURCES_MAX = 64;
    private static final Source REHEARSAL = Source.newBuilder(
                    "js", "(function (exports) {exports.code = async (inputs) => ({a: inputs.a});})", "rehearsal.js")
            .buildLiteral();

    private final Engine engine = Engine.newBuilder("js")
            .option("engine.WarnInterpreterOnly", "false")
            .out(OutputStream.nullOutputStream())
            .err(OutputStream.nullOutputStream())
            .build();
    private final Source prelude = script("prelude.js");
    private final Source url = script("url.js");
    private final Map<String, Source> sources = new LinkedHashMap<>(SOURCES_MAX, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Source> eldest) {
            return size() > SOURCES_MAX;
        }
    };

    /** A realm in which no user code has run yet; made ahead, because that takes longer than a small call. */
    private Realm next;

    /** The realm of the last call, which nobody enters again. */
    private Realm used;

    /** A context, the functions that drive a call in it, and where its console goes to. */
    private static final class Realm {
        private final Context context;
        private final Value driver;
        private ConsoleSink console = (_, _) -> false;

        Realm(Context context, Source prelude, Source url) {
            this.context = context;
            ProxyExecutable print = line -> console.accept(line[0].asString(), line[1].asString());
            ProxyExecutable readUrl = _ -> context.eval(url);
            Value drivers = context.eval(prelude);
            rehearse(drivers.execute(print, readUrl));
            this.driver = drivers.execute(print, readUrl);
        }

        /** A first call in a context takes twice as long as a second; the second driver takes the first one's place. */
        private void rehearse(Value rehearsal) {
            rehearsal.invokeMember("commonJs", 0, "{\"a\":[1]}", context.eval(REHEARSAL));
            rehearsal.invokeMember("state").asInt();
            rehearsal.invokeMember("text").asString();
        }
    }

    /** Clears up after a call and gets ready for the next one; to be called while nobody waits. */
    void prepare() {
        if (used != null) {
            used.context.close(true);
            used = null;
        }
        if (next == null) {
            next = new Realm(newContext(), prelude, url);
        }
    }

    /** Runs the call on this thread; answers its last frame. */
    WorkerFrame run(WorkerRequest request, ConsoleSink console, StopSignal stop) throws InterruptedException {
        prepare();
        Realm realm = next;
        next = null;
        try {
            stop.attach(realm.context);
            realm.console = console;
            return guarded(realm, request, stop);
        } catch (PolyglotException failure) {
            return stop.isRaised() ? WorkerFrame.of(WorkerFrame.Type.TIMED_OUT) : failed(failure);
        } finally {
            stop.detach();
            used = realm;
        }
    }

    private WorkerFrame guarded(Realm realm, WorkerRequest request, StopSignal stop) throws InterruptedException {
        Value driver = realm.driver;
        begin(realm, request);
        int state = driver.invokeMember("state").asInt();
        while (state == 0) {
            long delayMs = driver.invokeMember("delay").asLong();
            if (delayMs < 0) {
                return threw("Error", "The code never finished: nothing is left that could settle its promise");
            }
            if (stop.raisedWithin(delayMs)) {
                return WorkerFrame.of(WorkerFrame.Type.TIMED_OUT);
            }
            driver.invokeMember("fire");
            state = driver.invokeMember("state").asInt();
        }
        return ended(state, driver.invokeMember("text"), request.outputLimitBytes());
    }

    private void begin(Realm realm, WorkerRequest request) {
        int textMax = (int) Math.min(request.logLimitBytes() + 1, Integer.MAX_VALUE);
        Context context = realm.context;
        switch (request.form()) {
            case COMMON_JS -> {
                // The wrapper stands on the first line, so that the lines of messages stay the author's.
                String body = "(function (exports, module, require) {" + request.source() + "\n})";
                realm.driver.invokeMember("commonJs", textMax, request.inputs(), context.eval(source(body, false)));
            }
            case MODULE ->
                realm.driver.invokeMember(
                        "module", textMax, request.inputs(), context.eval(source(request.source(), true)));
            case EXPRESSION -> realm.driver.invokeMember("expression", textMax, request.inputs(), request.source());
        }
    }

    private Source source(String text, boolean module) {
        return sources.computeIfAbsent(text, unseen -> {
            Source.Builder builder = Source.newBuilder("js", unseen, module ? "code.mjs" : "code.js");
            return (module ? builder.mimeType(MODULE) : builder).buildLiteral();
        });
    }

    private static WorkerFrame ended(int state, Value text, long outputLimitBytes) {
        if (text.isNull()) {
            return WorkerFrame.of(WorkerFrame.Type.RETURNED_NOTHING);
        }
        if (state == 2) {
            return isOutOfRoom(text.asString())
                    ? WorkerFrame.of(WorkerFrame.Type.MEMORY_EXCEEDED)
                    : WorkerFrame.of(WorkerFrame.Type.THREW, text.asString());
        }
        WorkerFrame returned = WorkerFrame.of(WorkerFrame.Type.RETURNED, text.asString());
        return returned.body().length > outputLimitBytes
                ? threw(
                        "Error",
                        "The output of the code is too large: expected at most " + outputLimitBytes
                                + " bytes of JSON, but found " + returned.body().length)
                : returned;
    }

    /** The engine refuses a single value beyond its own bounds with these errors: it is the same bomb, met earlier. */
    private static boolean isOutOfRoom(String description) {
        return description.startsWith("{\"name\":\"RangeError\"")
                && (description.contains("\"message\":\"Invalid string length")
                        || description.contains("\"message\":\"Array buffer allocation failed")
                        || description.contains("\"message\":\"Invalid typed array length"));
    }

    private static WorkerFrame failed(PolyglotException failure) {
        if (failure.isResourceExhausted()) {
            return WorkerFrame.of(WorkerFrame.Type.MEMORY_EXCEEDED);
        }
        String message = String.valueOf(failure.getMessage());
        int colon = message.indexOf(": ");
        boolean named = colon > 0 && message.substring(0, colon).matches("\\w*Error");
        return named ? threw(message.substring(0, colon), message.substring(colon + 2)) : threw("Error", message);
    }

    private static WorkerFrame threw(String name, String message) {
        return WorkerFrame.of(
                WorkerFrame.Type.THREW, "{\"name\":" + quoted(name) + ",\"message\":" + quoted(message) + "}");
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            if (character == '"' || character == '\\') {
                quoted.append('\\').append(character);
            } else if (character < ' ') {
                quoted.append(String.format("\\u%04x", (int) character));
            } else {
                quoted.append(character);
            }
        }
        return quoted.append('"').toString();
    }

    private static Source script(String name) {
        try (InputStream text = Sandbox.class.getResourceAsStream(SCRIPTS + name)) {
            return Source.newBuilder("js", new String(text.readAllBytes(), StandardCharsets.UTF_8), name)
                    .buildLiteral();
        } catch (IOException broken) {
            throw new UncheckedIOException("a script of the worker cannot be read", broken);
        }
    }

    private Context newContext() {
        return Context.newBuilder("js")
                .engine(engine)
                .allowHostAccess(HostAccess.NONE)
                .allowIO(IOAccess.NONE)
                .allowPolyglotAccess(PolyglotAccess.NONE)
                .allowEnvironmentAccess(EnvironmentAccess.NONE)
                .allowCreateThread(false)
                .allowCreateProcess(false)
                .allowNativeAccess(false)
                .allowHostClassLoading(false)
                .allowInnerContextOptions(false)
                .allowExperimentalOptions(true)
                .option("js.load", "false")
                .option("js.print", "false")
                .option("js.console", "false")
                .option("js.graal-builtin", "false")
                .option("js.polyglot-builtin", "false")
                .option("js.java-package-globals", "false")
                .option("js.global-arguments", "false")
                .option("js.shared-array-buffer", "false")
                .option("js.atomics", "false")
                .option("js.agent-can-block", "false")
                .option("js.text-encoding", "true")
                .option("js.crypto", "true")
                .option("js.performance", "true")
                .option("js.stack-trace-api", "true")
                .option("js.timezone", "UTC")
                .option("js.esm-eval-returns-exports", "true")
                .build();
    }
}
