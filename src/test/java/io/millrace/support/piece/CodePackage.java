package io.millrace.support.piece;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Small npm packages that code steps use, for a fake registry. */
public final class CodePackage {
    private CodePackage() {}

    /** A package with one CommonJS file. */
    public static PiecePackage commonJs(String name, String version, String source, Map<String, String> dependencies) {
        return of(name, version, source, Json.object(), dependencies);
    }

    /** A package that is an ECMAScript module only. */
    public static PiecePackage module(String name, String version, String source) {
        return of(name, version, source, Json.object().put("type", "module"), Map.of());
    }

    /** A package with an installation script. */
    public static PiecePackage withScript(String name, String version, String source, String script) {
        var more = Json.object();
        more.putObject("scripts").put("postinstall", script).put("preinstall", script);
        return of(name, version, source, more, Map.of());
    }

    private static PiecePackage of(
            String name, String version, String source, ObjectNode more, Map<String, String> dependencies) {
        var manifest = more.deepCopy().put("name", name).put("version", version).put("main", "index.js");
        var wanted = manifest.putObject("dependencies");
        dependencies.forEach(wanted::put);
        var entries = new LinkedHashMap<String, byte[]>();
        entries.put("package/package.json", Json.text(manifest).getBytes(StandardCharsets.UTF_8));
        entries.put("package/index.js", source.getBytes(StandardCharsets.UTF_8));
        return new PiecePackage(name, version, entries);
    }
}
