package console;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Unpacks packages that came as jars (WebJars and mvnpm) into a {@code node_modules} directory, once for each set. */
final class Packages {
    private static final String RESOURCES = "META-INF/resources/";
    private static final String DESCRIPTION = "/package.json";

    private Packages() {}

    static Path unpack(Path jars, Path work) throws IOException {
        var target = work.resolve("node_modules");
        var stamp = work.resolve("packages.txt");
        var wanted = jarsIn(jars);
        var names = wanted.stream().map(jar -> jar.getFileName().toString()).collect(Collectors.joining("\n"));
        if (Files.exists(stamp) && Files.readString(stamp).equals(names)) {
            return target;
        }
        BuildFiles.empty(target);
        for (var jar : wanted) {
            unpackOne(jar, target);
        }
        Files.writeString(stamp, names);
        return target;
    }

    private static List<Path> jarsIn(Path jars) throws IOException {
        try (var files = Files.list(jars)) {
            return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        }
    }

    private static void unpackOne(Path jar, Path target) throws IOException {
        try (var zip = new ZipFile(jar.toFile())) {
            var description = descriptionOf(zip);
            var base = description.getName().substring(0, description.getName().length() - DESCRIPTION.length() + 1);
            var folder = target.resolve(nameIn(zip, description));
            for (var entry : zip.stream().filter(each -> !each.isDirectory()).toList()) {
                if (entry.getName().startsWith(base)) {
                    copy(zip, entry, folder.resolve(entry.getName().substring(base.length())).normalize(), folder);
                }
            }
        }
    }

    /** The package's own description: the one that lies highest. How deep that is differs between publishers. */
    private static ZipEntry descriptionOf(ZipFile zip) throws IOException {
        return zip.stream()
                .map(ZipEntry.class::cast)
                .filter(entry -> entry.getName().startsWith(RESOURCES) && entry.getName().endsWith(DESCRIPTION))
                .min(Comparator.comparingInt(entry -> entry.getName().length()))
                .orElseThrow(() -> new IOException(zip.getName() + " has no package.json"));
    }

    private static void copy(ZipFile zip, ZipEntry entry, Path file, Path folder) throws IOException {
        if (!file.startsWith(folder)) {
            throw new IOException(entry.getName() + " leads out of its package");
        }
        Files.createDirectories(file.getParent());
        try (var content = zip.getInputStream(entry)) {
            Files.copy(content, file);
        }
        if (file.getParent().endsWith("bin") && !file.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + file + " executable");
        }
    }

    /** What the package calls itself: a jar's own name lacks the scope. */
    private static String nameIn(ZipFile zip, ZipEntry description) throws IOException {
        try (var content = zip.getInputStream(description)) {
            return new ObjectMapper().readTree(content).path("name").asText();
        }
    }
}
