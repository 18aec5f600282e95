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
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.io.IOAccess;

/**
 * The realms of a worker on one engine: realms for a single call, and a frozen one for the calls of each key.
 *
 * <p>A context has no access to the host: no Java, file, process, environment, thread, native code or other language.
 */
final class Realms {
    private static final String SCRIPTS = "/io/millrace/sandbox/code/worker/";
    private static final int SHARED_MAX = 16;

    /** High enough to cost nothing, low enough to bound what accumulates in a realm. */
    private static final int CALLS_MAX = 20_000;

    private final Engine engine = Engine.newBuilder("js")
            .option("engine.WarnInterpreterOnly", "false")
            .out(OutputStream.nullOutputStream())
            .err(OutputStream.nullOutputStream())
            .build();
    private final Source prelude = script("prelude.js");
    private final Source url = script("url.js");
    private final Source losses = module("losses.js");
    private final Source harden = script("harden.js");
    private final Map<String, SharedRealm> shared = new LinkedHashMap<>(SHARED_MAX, 0.75f, true);

    /** A realm in which no user code has run yet; prepared in advance, because that takes longer than a small call. */
    private Realm next;

    private Realm nextShared;

    /** Realm of an ended call, which no further call enters. */
    private Realm used;

    private static final class SharedRealm {
        private final Realm realm;
        private int left = CALLS_MAX;

        SharedRealm(Realm realm) {
            this.realm = realm;
        }
    }

    /** Closes the realm of the last call; to be called while no caller waits. */
    void clearUp() {
        if (used != null) {
            used.close();
            used = null;
        }
    }

    void prepare() {
        clearUp();
        if (next == null) {
            next = new Realm(context().build(), prelude, url, losses);
        }
        if (nextShared == null) {
            nextShared = new Realm(frozenContext(), prelude, url, losses).hardened(harden);
        }
    }

    /** A realm for one call, to be passed to {@link #leave} after it. */
    Realm own() {
        prepare();
        Realm realm = next;
        next = null;
        return realm;
    }

    void leave(Realm realm) {
        clearUp();
        used = realm;
    }

    Realm shared(String key) {
        SharedRealm found = shared.get(key);
        if (found == null) {
            if (shared.size() == SHARED_MAX) {
                forget(shared.keySet().iterator().next());
            }
            prepare();
            found = new SharedRealm(nextShared);
            nextShared = null;
            shared.put(key, found);
        }
        found.left--;
        return found.realm;
    }

    /** Reuses the frozen realm of the key, which only the worker's own code has entered, for the next key. */
    void handOn(String key) {
        nextShared = shared.remove(key).realm;
    }

    /** To be called after a call that ended normally. */
    void rest(String key) {
        if (shared.get(key).left == 0) {
            forget(key);
        }
    }

    void forget(String key) {
        leave(shared.remove(key).realm);
    }

    private static Source script(String name) {
        return Source.newBuilder("js", text(name), name).buildLiteral();
    }

    /** An expression with the exports of a module that imports nothing; Node.js loads the same file. */
    private static Source module(String name) {
        return Source.newBuilder(
                        "js",
                        "(() => { const module = {exports: {}};" + text(name) + "return module.exports; })()",
                        name)
                .buildLiteral();
    }

    private static String text(String name) {
        try (InputStream text = Realms.class.getResourceAsStream(SCRIPTS + name)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException("a script of the worker cannot be read", broken);
        }
    }

    /** A context that does not keep the last match of a regular expression, which the next call could read. */
    private Context frozenContext() {
        return context().option("js.regexp-static-result", "false").build();
    }

    private Context.Builder context() {
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
                .option("js.esm-eval-returns-exports", "true");
    }
}
