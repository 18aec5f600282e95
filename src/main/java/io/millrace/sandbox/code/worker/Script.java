package io.millrace.sandbox.code.worker;

import java.util.regex.Pattern;
import org.graalvm.polyglot.Source;

/**
 * A source as it is run: in a realm that calls share, or in one of its own.
 *
 * <p>In a shared realm the language's own objects are frozen and the code is strict, so that what would leave a trace
 * throws. A program that says so little of it that it could go on without noticing gets a realm of its own from the
 * beginning; others do after a call that failed in the shared one and not in its own.
 */
final class Script {
    private static final String MODULE = "application/javascript+module";

    /** What would behave differently in a frozen realm without throwing. */
    private static final Pattern TELLS_REALMS_APART =
            Pattern.compile("\\b(?:eval|Function|Reflect|WeakRef|FinalizationRegistry)\\b|\\bRegExp\\s*[.\\[]");

    private final Source own;
    private final Source shared;
    private boolean sharing;

    private Script(Source own, Source shared) {
        this.own = own;
        this.shared = shared;
        this.sharing = shared != null;
    }

    static Script of(WorkerRequest.Form form, String text) {
        return switch (form) {
            case COMMON_JS -> {
                boolean sharing = !TELLS_REALMS_APART.matcher(text).find();
                yield new Script(commonJs("", text), sharing ? commonJs("'use strict';", text) : null);
            }
            case MODULE ->
                new Script(
                        Source.newBuilder("js", text, "code.mjs")
                                .mimeType(MODULE)
                                .buildLiteral(),
                        null);
            case EXPRESSION ->
                new Script(Source.newBuilder("js", text, "code.js").buildLiteral(), null);
        };
    }

    /** The wrapper stands on the first line, so that the lines of messages stay the author's. */
    private static Source commonJs(String directive, String text) {
        String body = "(function (exports, module, require) {" + directive + text + "\n})";
        return Source.newBuilder("js", body, "code.js").buildLiteral();
    }

    /** For a realm that only one call enters. */
    Source own() {
        return own;
    }

    /** For a realm that calls share; only of one that {@link #isSharing}. */
    Source shared() {
        return shared;
    }

    /** Whether a call may run in a shared realm. */
    boolean isSharing() {
        return sharing;
    }

    /** From now on each call gets a realm of its own. */
    void keepApart() {
        sharing = false;
    }
}
