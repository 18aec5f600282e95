package io.millrace.sandbox.code.worker;

import java.util.regex.Pattern;
import org.graalvm.polyglot.Source;

/**
 * An executable source: for a shared realm, or for a separate one.
 *
 * <p>In a shared realm the language's own objects are frozen and the code is strict, so code that would leave state behind throws.
 * A program that could behave differently without an error gets a separate realm from the beginning; others get one after a call
 * that failed in the shared realm and not in a separate one.
 */
final class Script {
    private static final String HEAD = "(function (exports, module, require) {";
    private static final String STRICT = "'use strict';";

    /** Equally long in all realms, so that the positions of an error need one correction. */
    private static final String NOT_STRICT = " ".repeat(STRICT.length());

    /** Columns of the first line before the text of the program. */
    static final int COLUMNS_BEFORE = HEAD.length() + STRICT.length();

    private static final String MODULE = "application/javascript+module";

    /** Names whose use may behave differently in a frozen realm without throwing. */
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
                yield new Script(commonJs(NOT_STRICT, text), sharing ? commonJs(STRICT, text) : null);
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

    /** Wraps the source without a new line before it, so that line numbers in messages stay the author's. */
    private static Source commonJs(String directive, String text) {
        String body = HEAD + directive + text + "\n})";
        return Source.newBuilder("js", body, "code.js").buildLiteral();
    }

    /** Source for a realm that only one call enters. */
    Source own() {
        return own;
    }

    /** Source for a shared realm; only if {@link #isSharing}. */
    Source shared() {
        return shared;
    }

    boolean isSharing() {
        return sharing;
    }

    void keepApart() {
        sharing = false;
    }
}
