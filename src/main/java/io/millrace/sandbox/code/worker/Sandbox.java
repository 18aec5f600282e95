package io.millrace.sandbox.code.worker;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.SourceSection;

/**
 * Runs one call at a time, values as JSON text: in the frozen realm of its key if its program can run there, in a separate realm
 * otherwise.
 *
 * <p>Code that fails in the frozen realm begins once more in a separate realm: it may have failed because the realm is frozen. Code
 * has no external effects, so it may begin twice. The caller limits the time through the {@link StopSignal}; the process limits the
 * memory.
 */
final class Sandbox {
    private static final int SCRIPTS_MAX = 64;

    /** A call that failed later than this begins again only if it failed with an error that a frozen realm throws. */
    private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Realms realms = new Realms();
    private final Map<String, Script> scripts = new LinkedHashMap<>(SCRIPTS_MAX, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Script> eldest) {
            return size() > SCRIPTS_MAX;
        }
    };

    /** Cleans up after a call and prepares the next one; to be called while no caller waits. */
    void prepare() {
        realms.prepare();
    }

    /** Releases the realm of the key for the next key: only the worker's own calls have used it. */
    void handOn(String key) {
        realms.handOn(key);
    }

    /** Runs the call on this thread; returns its last frame. */
    WorkerFrame run(WorkerRequest request, ConsoleSink console, StopSignal stop) throws InterruptedException {
        Script script = script(request);
        if (!script.isSharing()) {
            return alone(request, script, console, stop);
        }
        long began = System.nanoTime();
        WorkerFrame together = together(request, script, console, stop);
        if (!mayBeForTheRealm(together, System.nanoTime() - began, request.timeLimitMs())) {
            return together;
        }
        console.beginAgain();
        WorkerFrame alone = alone(request, script, console, stop);
        if (alone.type() == WorkerFrame.Type.RETURNED || alone.type() == WorkerFrame.Type.RETURNED_NOTHING) {
            script.keepApart();
        }
        return alone;
    }

    private Script script(WorkerRequest request) {
        return scripts.computeIfAbsent(
                request.form().name() + request.source(), _ -> Script.of(request.form(), request.source()));
    }

    private static boolean mayBeForTheRealm(WorkerFrame together, long tookNanos, long limitMs) {
        if (together.type() != WorkerFrame.Type.THREW) {
            return false;
        }
        String error = together.text();
        boolean ofTheRealm = error.startsWith("{\"name\":\"TypeError\"")
                || error.startsWith("{\"name\":\"ReferenceError\"")
                || error.startsWith("{\"name\":\"SyntaxError\"");
        // A call that has used half of its time could not finish a second run.
        return tookNanos < SOON_NANOS || ofTheRealm && tookNanos < TimeUnit.MILLISECONDS.toNanos(limitMs) / 2;
    }

    private WorkerFrame together(WorkerRequest request, Script script, ConsoleSink console, StopSignal stop)
            throws InterruptedException {
        Realm realm = realms.shared(request.key());
        WorkerFrame ended = run(realm, request, script.shared(), console, stop);
        switch (ended.type()) {
            case RETURNED, RETURNED_NOTHING, THREW -> realms.rest(request.key());
            default -> realms.forget(request.key());
        }
        return ended;
    }

    private WorkerFrame alone(WorkerRequest request, Script script, ConsoleSink console, StopSignal stop)
            throws InterruptedException {
        Realm realm = realms.own();
        try {
            return run(realm, request, script.own(), console, stop);
        } finally {
            realms.leave(realm);
        }
    }

    private static WorkerFrame run(
            Realm realm, WorkerRequest request, Source source, ConsoleSink console, StopSignal stop)
            throws InterruptedException {
        try {
            stop.attach(realm.context());
            int textMax = (int) Math.min(request.logLimitBytes() + 1, Integer.MAX_VALUE);
            realm.begin(request.form(), source, request.inputs(), textMax, console);
            return ended(realm, request.outputLimitBytes(), stop);
        } catch (PolyglotException failure) {
            return stop.isRaised() ? WorkerFrame.of(WorkerFrame.Type.TIMED_OUT) : failed(failure, request.form());
        } finally {
            stop.detach();
        }
    }

    private static WorkerFrame ended(Realm realm, long outputLimitBytes, StopSignal stop) throws InterruptedException {
        Realm.State state = realm.state();
        while (state == Realm.State.RUNNING) {
            long delayMs = realm.delayMs();
            if (delayMs < 0) {
                return threw(
                        "Error", "The code never finished: its promise is still pending and no timer or I/O is left");
            }
            if (stop.raisedWithin(delayMs)) {
                return WorkerFrame.of(WorkerFrame.Type.TIMED_OUT);
            }
            realm.fire();
            state = realm.state();
        }
        return ended(state, realm.text(), outputLimitBytes);
    }

    private static WorkerFrame ended(Realm.State state, String text, long outputLimitBytes) {
        if (text == null) {
            return WorkerFrame.of(WorkerFrame.Type.RETURNED_NOTHING);
        }
        if (state == Realm.State.THREW) {
            return isOutOfRoom(text)
                    ? WorkerFrame.of(WorkerFrame.Type.MEMORY_EXCEEDED)
                    : WorkerFrame.of(WorkerFrame.Type.THREW, text);
        }
        WorkerFrame returned = WorkerFrame.of(WorkerFrame.Type.RETURNED, text);
        return returned.body().length > outputLimitBytes
                ? threw(
                        "Error",
                        "The output of the code is too large: expected at most " + outputLimitBytes
                                + " bytes of JSON, but found " + returned.body().length)
                : returned;
    }

    /** True for the engine's errors about a single value beyond its bounds, which count as a memory limit too. */
    private static boolean isOutOfRoom(String description) {
        return description.startsWith("{\"name\":\"RangeError\"")
                && (description.contains("\"message\":\"Invalid string length")
                        || description.contains("\"message\":\"Array buffer allocation failed")
                        || description.contains("\"message\":\"Invalid typed array length"));
    }

    private static WorkerFrame failed(PolyglotException failure, WorkerRequest.Form form) {
        if (failure.isResourceExhausted()) {
            return WorkerFrame.of(WorkerFrame.Type.MEMORY_EXCEEDED);
        }
        String message = String.valueOf(failure.getMessage());
        int colon = message.indexOf(": ");
        boolean named = colon > 0 && message.substring(0, colon).matches("\\w*Error");
        String places = places(failure.getSourceLocation(), form);
        return named
                ? threw(message.substring(0, colon), message.substring(colon + 2), places)
                : threw("Error", message, places);
    }

    /** Position of an error that the engine found before it ran the program, as a field of the error's description. */
    private static String places(SourceSection section, WorkerRequest.Form form) {
        if (section == null || !section.hasLines() || form == WorkerRequest.Form.EXPRESSION) {
            return "";
        }
        int line = section.getStartLine();
        int before = line == 1 && form == WorkerRequest.Form.COMMON_JS ? Script.COLUMNS_BEFORE : 0;
        return ",\"places\":[[" + line + "," + (section.getStartColumn() - before) + "]]";
    }

    private static WorkerFrame threw(String name, String message) {
        return threw(name, message, "");
    }

    private static WorkerFrame threw(String name, String message, String places) {
        return WorkerFrame.of(
                WorkerFrame.Type.THREW, "{\"name\":" + quoted(name) + ",\"message\":" + quoted(message) + places + "}");
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
}
