package io.millrace.sandbox.code.worker;

import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;

/** A context, the functions that drive a call in it, and the target of its console. */
final class Realm {
    private static final String COMMON_JS = "commonJs";
    private static final Source WARM_UP = Source.newBuilder(
                    "js", "(function (exports) {exports.code = async (inputs) => ({a: inputs.a});})", "warm-up.js")
            .buildLiteral();

    enum State {
        RUNNING,
        RETURNED,
        THREW
    }

    private final Context context;
    private final Value driver;
    private ConsoleSink console = (_, _) -> false;

    Realm(Context context, Source prelude, Source url, Source losses) {
        this.context = context;
        ProxyExecutable print = line -> console.accept(line[0].asString(), line[1].asString());
        ProxyExecutable readUrl = _ -> context.eval(url);
        Value drivers = context.eval(prelude);
        Value findLosses = context.eval(losses);
        warmUp(drivers.execute(print, readUrl, findLosses));
        driver = drivers.execute(print, readUrl, findLosses);
    }

    /** Makes a first call, which takes twice as long as later ones. A new driver replaces the one that made it. */
    private void warmUp(Value program) {
        program.invokeMember(COMMON_JS, 0, "{\"a\":[1]}", context.eval(WARM_UP), 0);
        program.invokeMember("state").asInt();
        program.invokeMember("text").asString();
    }

    /** Freezes all objects that a call can reach, so that the realm can serve further calls. */
    Realm hardened(Source harden) {
        context.eval(harden).executeVoid();
        return this;
    }

    Context context() {
        return context;
    }

    void begin(WorkerRequest.Form form, Source source, String inputs, int textMax, ConsoleSink sink) {
        console = sink;
        switch (form) {
            case COMMON_JS ->
                driver.invokeMember(COMMON_JS, textMax, inputs, context.eval(source), Script.COLUMNS_BEFORE);
            case MODULE -> driver.invokeMember("module", textMax, inputs, context.eval(source));
            case EXPRESSION ->
                driver.invokeMember(
                        "expression", textMax, inputs, source.getCharacters().toString());
        }
    }

    State state() {
        return switch (driver.invokeMember("state").asInt()) {
            case 0 -> State.RUNNING;
            case 1 -> State.RETURNED;
            default -> State.THREW;
        };
    }

    /** Result or error of the call as JSON text; null if it returned nothing. */
    String text() {
        Value text = driver.invokeMember("text");
        return text.isNull() ? null : text.asString();
    }

    /** Milliseconds until the next timer is due; negative when none is armed. */
    long delayMs() {
        return driver.invokeMember("delay").asLong();
    }

    void fire() {
        driver.invokeMember("fire");
    }

    void close() {
        context.close(true);
    }
}
