package io.millrace.piece.npm;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.millrace.base.core.Json;
import io.millrace.sandbox.npm.BadPackage;
import io.millrace.sandbox.npm.Dependencies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

record PackageManifest(PackageId id, Dependencies dependencies, boolean bundlesForkedEntries) {
    private static final long BYTES_MAX = 1 << 20;
    private static final int SCRIPT_BYTES_MAX = 16 << 20;
    private static final Pattern OWN_FOLDER = Pattern.compile("(?<![\\w$.])__dirname(?![\\w$])");

    static PackageManifest read(Path folder) throws BadPackage {
        var file = folder.resolve("package.json");
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw new BadPackage("expected a package.json of at most " + BYTES_MAX + " bytes");
            }
            var manifest = Json.parse(Files.readAllBytes(file));
            var id = new PackageId(
                    manifest.path("name").asText(), manifest.path("version").asText());
            return new PackageManifest(id, Dependencies.of(manifest), manifest.has("bundleForkedEntries"));
        } catch (JsonProcessingException malformed) {
            throw new BadPackage("the package.json of the package is not JSON", malformed);
        } catch (IOException unreadable) {
            throw new BadPackage("the package.json of the package cannot be read", unreadable);
        }
    }

    void checkIs(PackageId wanted) throws BadPackage {
        if (!id.equals(wanted)) {
            throw new BadPackage("expected the package " + wanted + ", found " + id);
        }
    }

    /**
     * A bundle is relocated from its source files, so code that resolves its own folder must declare the further
     * entries to bundle (seed, Versioning).
     */
    void checkForkedEntries(Path folder) throws BadPackage {
        if (bundlesForkedEntries) {
            return;
        }
        try (var files = Files.walk(folder)) {
            for (var file : files.filter(PackageManifest::isOwnScript).toList()) {
                if (Files.size(file) <= SCRIPT_BYTES_MAX
                        && OWN_FOLDER.matcher(Files.readString(file)).find()) {
                    throw new BadPackage("the code of the piece uses __dirname in " + folder.relativize(file)
                            + ", but its package.json declares no bundleForkedEntries");
                }
            }
        } catch (IOException unreadable) {
            throw new BadPackage(
                    "the code of the package is not readable text: " + unreadable.getMessage(), unreadable);
        }
    }

    private static boolean isOwnScript(Path file) {
        var name = file.getFileName().toString();
        var isScript = name.endsWith(".js") || name.endsWith(".cjs") || name.endsWith(".mjs");
        return isScript && Files.isRegularFile(file) && !file.toString().contains("/node_modules/");
    }
}
