package io.millrace.sandbox.npm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The packages that a package needs, by kind. One rule holds for all kinds and all depths: a package of the registry, at a version,
 * a range or a tag. An address, a path or a repository could fetch from any host and run other programs.
 */
public record Dependencies(Map<String, Map<String, String>> byKind) {
    /** Kinds that are installed; development dependencies are not, and other kinds apply to a whole project only. */
    private static final List<String> KINDS = List.of("dependencies", "optionalDependencies", "peerDependencies");

    private static final String PACKAGE =
            "(?:@[A-Za-z0-9~-][A-Za-z0-9._~-]{0,213}/)?[A-Za-z0-9~-][A-Za-z0-9._~-]{0,213}";
    private static final Pattern NAME = Pattern.compile(PACKAGE);
    private static final Pattern OTHER_NAME = Pattern.compile("npm:" + PACKAGE + "(?:@(?<range>.*))?");
    private static final Pattern TAG = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,50}");
    private static final String VERSION =
            "v?(?:[0-9]{1,16}|[xX*])(?:\\.(?:[0-9]{1,16}|[xX*])){0,2}(?:-[A-Za-z0-9.-]{1,60})?(?:\\+[A-Za-z0-9.-]{1,60})?";
    private static final String COMPARED = "(?:<=|>=|<|>|=|~>|~|\\^)?\\s{0,3}" + VERSION;
    private static final String BOTH = COMPARED + "(?:\\s{1,3}(?:-\\s{1,3})?" + COMPARED + "){0,5}";
    private static final Pattern RANGE =
            Pattern.compile("\\s*(?:" + BOTH + "\\s*(?:\\|\\|\\s*" + BOTH + "\\s*){0,20})?");
    private static final int RANGE_CHARACTERS_MAX = 300;

    /** Endings of versions that the package manager takes for files. */
    private static final List<String> FILES = List.of(".tgz", ".tar", ".tar.gz");

    private static final List<String> ADDRESSES = List.of("https://", "http://");

    public static Dependencies of(JsonNode manifest) {
        var byKind = new TreeMap<String, Map<String, String>>();
        for (var kind : KINDS) {
            var named = new TreeMap<String, String>();
            manifest.path(kind)
                    .properties()
                    .forEach(entry -> named.put(
                            entry.getKey(),
                            entry.getValue().isTextual() ? entry.getValue().asText() : "no text"));
            byKind.put(kind, named);
        }
        return new Dependencies(byKind);
    }

    public boolean isEmpty() {
        return byKind.values().stream().allMatch(Map::isEmpty);
    }

    public void check() throws BadPackage {
        for (var kind : byKind.entrySet()) {
            for (var dependency : kind.getValue().entrySet()) {
                if (!NAME.matcher(dependency.getKey()).matches() || !isOfRegistry(dependency.getValue())) {
                    throw new BadPackage("expected a version or a range of the registry in " + kind.getKey() + " for "
                            + dependency.getKey());
                }
            }
        }
    }

    private static boolean isOfRegistry(String wanted) {
        var other = OTHER_NAME.matcher(wanted);
        if (other.matches()) {
            return other.group("range") == null || isRange(other.group("range"));
        }
        return isRange(wanted);
    }

    private static boolean isRange(String wanted) {
        var small = wanted.toLowerCase(Locale.ROOT).strip();
        return wanted.length() <= RANGE_CHARACTERS_MAX
                && FILES.stream().noneMatch(small::endsWith)
                && (RANGE.matcher(wanted).matches() || TAG.matcher(wanted).matches());
    }

    /** Manifest with these dependencies only: no scripts, overrides or workspaces. */
    public ObjectNode manifest() {
        var manifest =
                Json.object().put("name", "installed").put("version", "0.0.0").put("private", true);
        byKind.forEach((kind, named) ->
                named.forEach((name, wanted) -> manifest.withObject("/" + kind).put(name, wanted)));
        return manifest;
    }

    /** Lock file with these dependencies: the package manager installs the packages of an earlier installation. */
    ObjectNode lockFile(JsonNode installed) {
        var lock = manifest();
        lock.remove(KINDS);
        var packages = lock.put("lockfileVersion", 3).put("requires", true).putObject("packages");
        packages.set("", manifest());
        installed.path("packages").properties().forEach(entry -> packages.set(entry.getKey(), entry.getValue()));
        return lock;
    }

    /** Refuses packages other than those of an earlier installation: each has the same path and integrity. */
    public static void checkSame(JsonNode before, JsonNode installed) throws BadPackage {
        for (var entry : installed.path("packages").properties()) {
            var known = before.path("packages").path(entry.getKey());
            if (!known.path("integrity").equals(entry.getValue().path("integrity"))) {
                throw new BadPackage("expected the dependencies of the first installation, found another archive of "
                        + entry.getKey());
            }
        }
    }

    /** Checks the installed packages by the same rule: transitive dependencies and their origin. */
    public static void checkInstalled(JsonNode lock) throws BadPackage {
        for (var entry : lock.path("packages").properties()) {
            var installed = entry.getValue();
            if (entry.getKey().isEmpty()) {
                continue;
            }
            of(installed).check();
            var from = installed.path("resolved").asText();
            var isFetched = ADDRESSES.stream().anyMatch(from::startsWith) && installed.has("integrity");
            if (installed.path("link").asBoolean()
                    || !isFetched && !installed.path("inBundle").asBoolean()) {
                throw new BadPackage("expected packages of the registry only, found " + entry.getKey());
            }
        }
    }
}
