package io.millrace.sandbox.code.compiler;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Imports of a source as written, and the rule for them: only modules of Node.js and packages that the step declares. A path, an
 * address or an inlined module is refused before the compiler looks for it.
 */
record SourceImports(List<String> paths) {
    private static final String NODE_SCHEME = "node:";

    /** Modules that can be imported without the scheme. */
    private static final Set<String> OF_NODE = Set.of(
            "assert",
            "assert/strict",
            "async_hooks",
            "buffer",
            "child_process",
            "cluster",
            "console",
            "constants",
            "crypto",
            "dgram",
            "diagnostics_channel",
            "dns",
            "dns/promises",
            "domain",
            "events",
            "fs",
            "fs/promises",
            "http",
            "http2",
            "https",
            "inspector",
            "inspector/promises",
            "module",
            "net",
            "os",
            "path",
            "path/posix",
            "path/win32",
            "perf_hooks",
            "process",
            "punycode",
            "querystring",
            "readline",
            "readline/promises",
            "repl",
            "stream",
            "stream/consumers",
            "stream/promises",
            "stream/web",
            "string_decoder",
            "sys",
            "timers",
            "timers/promises",
            "tls",
            "trace_events",
            "tty",
            "url",
            "util",
            "util/types",
            "v8",
            "vm",
            "wasi",
            "worker_threads",
            "zlib");

    private static final Pattern NODE_MODULE = Pattern.compile("node:[a-z0-9_]{1,60}(?:/[a-z0-9_]{1,60})?");
    private static final String SEGMENT = "[A-Za-z0-9_~$!+=,.-]{1,214}";

    /** A name with or without a scope, and an optional path below it that does not leave it. */
    private static final Pattern PACKAGE = Pattern.compile(
            "(?<name>(?:@" + SEGMENT + "/)?" + SEGMENT + ")(?:/(?!\\.{0,2}(?:/|$))[@]?" + SEGMENT + "){0,40}");

    /** Placeholder of the compiler for the part of a path that is known only when the code runs. */
    private static final String VARIABLE_PART = "*";

    /**
     * Without the path: the compiler looks for the folder of such a path, so the choice among several paths would depend on
     * existing files.
     */
    static final String VARIABLE_PATH = "an import with a computed path is refused: expected the"
            + " name of a module of Node.js or of a package of packageJson as plain text";

    /**
     * Name of the compiler's own helpers in the report, for example for decorators and {@code using}; no package has
     * this name.
     */
    private static final String COMPILER_HELPERS = "<runtime>";

    private static final int SHOWN_CHARACTERS = 200;
    private static final int SHOWN_PACKAGES = 10;

    SourceImports {
        paths = List.copyOf(paths);
    }

    /** Imports in a compiler's report on a bundle that excludes all packages. */
    static SourceImports of(JsonNode report) {
        var paths = new ArrayList<String>();
        report.path("inputs")
                .forEach(input -> input.path("imports")
                        .forEach(found -> paths.add(found.path("path").asText())));
        paths.removeIf(COMPILER_HELPERS::equals);
        return new SourceImports(paths);
    }

    /** Error message for the first import that is neither a module of Node.js nor a declared package; empty if there is none. */
    Optional<String> refusal(Collection<String> declared) {
        return paths.stream().anyMatch(path -> path.contains(VARIABLE_PART))
                ? Optional.of(VARIABLE_PATH)
                : paths.stream()
                        .flatMap(path -> refusal(path, declared).stream())
                        .findFirst();
    }

    private static Optional<String> refusal(String path, Collection<String> declared) {
        if (OF_NODE.contains(path) || NODE_MODULE.matcher(path).matches()) {
            return Optional.empty();
        }
        var parts = PACKAGE.matcher(path);
        if (path.startsWith(".") || path.startsWith(NODE_SCHEME) || !parts.matches()) {
            return Optional.of("import \"" + shown(path) + "\" is refused: expected a module of Node.js or a package of"
                    + " packageJson" + listed(declared) + ", found a path or an address");
        }
        return declared.contains(parts.group("name"))
                ? Optional.empty()
                : Optional.of("import \"" + shown(path)
                        + "\" is refused: it is neither a module of Node.js nor a package of packageJson"
                        + listed(declared) + "; add it to the dependencies there");
    }

    private static String listed(Collection<String> declared) {
        var names = new TreeSet<>(declared);
        if (names.isEmpty()) {
            return "";
        }
        return Stream.concat(
                        names.stream().limit(SHOWN_PACKAGES),
                        names.size() > SHOWN_PACKAGES ? Stream.of("…") : Stream.empty())
                .collect(Collectors.joining(", ", " (", ")"));
    }

    private static String shown(String path) {
        return path.length() > SHOWN_CHARACTERS ? path.substring(0, SHOWN_CHARACTERS) + "…" : path;
    }
}
