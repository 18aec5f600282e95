package io.millrace.sandbox.code;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What a worker does not have and Node.js does. The transpiler, which knows scopes, replaces a free name by its full one;
 * a name of the source's own stays as it is, so that a local variable called {@code process} needs nothing.
 */
final class NodeNeeds {
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

    /** Imports have become calls when this is looked for. */
    private static final Pattern IN_MARKED = Pattern.compile(
            "\\bglobalThis\\.(?:" + String.join("|", NAMES) + ")\\b|(?<![\\w$.])(?:require|import)\\s*\\(");

    private NodeNeeds() {}

    /** Options of the transpiler that mark the names. */
    static List<String> marks() {
        return NAMES.stream()
                .map(name -> "--define:" + name + "=globalThis." + name)
                .toList();
    }

    static boolean areIn(String marked) {
        return IN_MARKED.matcher(marked).find();
    }
}
