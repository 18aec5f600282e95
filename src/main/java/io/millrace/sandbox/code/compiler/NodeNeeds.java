package io.millrace.sandbox.code.compiler;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Features of Node.js that a worker lacks. The transpiler, which resolves scopes, replaces a free name by its full one; a name that
 * the source declares stays unchanged, so a local variable called {@code process} does not need Node.js.
 */
public final class NodeNeeds {
    private static final List<String> NAMES = List.of(
            "fetch",
            "Headers",
            "Request",
            "Response",
            "FormData",
            "WebSocket",
            "XMLHttpRequest",
            "Buffer",
            "Blob",
            "File",
            "process",
            "global",
            "AbortController",
            "AbortSignal",
            "Event",
            "EventTarget",
            "MessageChannel",
            "BroadcastChannel",
            "ReadableStream",
            "WritableStream",
            "TransformStream",
            "CompressionStream",
            "DecompressionStream",
            "TextDecoderStream",
            "TextEncoderStream",
            "crypto",
            "performance",
            "WebAssembly");

    /** Matches marked names and calls; imports have been converted to calls before. */
    private static final Pattern IN_MARKED = Pattern.compile(
            "\\bglobalThis\\.(?:" + String.join("|", NAMES) + ")\\b|(?<![\\w$.])(?:require|import)\\s*\\(");

    private static final Pattern IN_SOURCE = Pattern.compile("(?<![\\w$.])(" + String.join("|", NAMES) + ")(?![\\w$])");
    private static final Pattern MODULE = Pattern.compile("(?<![\\w$.])(?:require\\s*+\\(|import\\b)");

    private NodeNeeds() {}

    /**
     * Names of Node.js that a source mentions, in alphabetical order. Local variables, comments and texts count too: the compiler
     * selects the engine, and these names explain the choice.
     */
    public static SortedSet<String> globalsIn(String source) {
        return IN_SOURCE
                .matcher(source)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    public static boolean importsModules(String source) {
        return MODULE.matcher(source).find();
    }

    static List<String> marks() {
        return NAMES.stream()
                .map(name -> "--define:" + name + "=globalThis." + name)
                .toList();
    }

    static boolean areIn(String marked) {
        return IN_MARKED.matcher(marked).find();
    }
}
