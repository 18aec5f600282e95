package console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Builds the web console: unpacks the packages it is made of, writes the types of the API and the icons, bundles with
 * esbuild, and leaves hashed files and their compressed forms. Runs from source, as part of the build; no Node.js.
 *
 * <p>Arguments: the project's directory, the directory of the jars with packages, where to put the result, and
 * optionally {@code --tests} with where to put the bundled tests.
 */
final class BuildConsole {
    private BuildConsole() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        var root = Path.of(args[0]).toAbsolutePath().normalize();
        var work = root.resolve("target/console");
        var packages = Packages.unpack(Path.of(args[1]), work);
        var source = root.resolve("src/main/console");
        var generated = Files.createDirectories(work.resolve("generated"));
        BuildFiles.when(generated.resolve("api.ts"), new ApiTypes(root.resolve("src/main/resources/openapi")).text());
        BuildFiles.when(generated.resolve("icons.ts"), Icons.text(source.resolve("base/icons/names.txt"), packages));
        BuildFiles.when(generated.resolve("guest-icons.ts"), Icons.text(source.resolve("guest/icons.txt"), packages));
        BuildFiles.when(generated.resolve("styles.css"), styles(source));
        var esbuild = new Esbuild(packages, source);
        var output = Path.of(args[2]).toAbsolutePath();
        BuildFiles.empty(output);
        esbuild.run(bundle(source, output, List.of("--minify", "--metafile=" + work.resolve("meta.json"))));
        esbuild.run(early(source, output, List.of("--minify", "--metafile=" + work.resolve("early-meta.json"))));
        esbuild.run(guests(source, output, List.of("--minify", "--metafile=" + work.resolve("guest-meta.json"))));
        esbuild.run(embedScript(source, output));
        Pages.copy(source.resolve("public"), output);
        var early = Pages.entry(work.resolve("early-meta.json"), "early.ts");
        Pages.write(
                source.resolve("index.html"), work.resolve("meta.json"), output, "main.tsx", "styles.css", List.of(early));
        Pages.write(source.resolve("guest.html"), work.resolve("guest-meta.json"), output, "guest.tsx", "guest.css", List.of());
        Pages.compress(output);
        if (args.length > 4 && args[3].equals("--tests")) {
            tests(esbuild, source, Path.of(args[4]).toAbsolutePath());
        }
    }

    private static List<String> bundle(Path source, Path output, List<String> more) {
        var options = options(output, more);
        options.addAll(List.of(
                source.resolve("main.tsx").toString(),
                source.resolveSibling("../../target/console/generated/styles.css")
                        .normalize()
                        .toString(),
                "--inject:" + source.resolve("shared.ts"),
                "--splitting"));
        return options;
    }

    /** The script that sends the first requests while the others load. */
    private static List<String> early(Path source, Path output, List<String> more) {
        var options = options(output, more);
        options.add(source.resolve("early.ts").toString());
        return options;
    }

    /** The pages for guests: a script and a stylesheet of their own, which share no file with the console. */
    private static List<String> guests(Path source, Path output, List<String> more) {
        var options = options(output, more);
        options.add(source.resolve("guest/guest.tsx").toString());
        options.add(source.resolve("guest/style/guest.css").toString());
        return options;
    }

    /** The script that other people's pages load to show the console: one file, whose name is known outside. */
    private static List<String> embedScript(Path source, Path output) {
        return new ArrayList<>(List.of(
                source.resolve("embed/embed.ts").toString(),
                "--format=iife",
                "--target=es2020",
                "--minify",
                "--legal-comments=none",
                "--outfile=" + output.resolve("assets/embed.js")));
    }

    private static List<String> options(Path output, List<String> more) {
        var options = new ArrayList<>(List.of(
                "--format=esm",
                "--target=es2022,chrome111,firefox114,safari16.4",
                "--entry-names=[name]-[hash]",
                "--chunk-names=[name]-[hash]",
                "--asset-names=[name]-[hash]",
                "--legal-comments=none",
                "--outdir=" + output.resolve("assets")));
        options.addAll(more);
        return options;
    }

    /** One stylesheet of all there are: the tokens first, then what everybody uses, then the areas. */
    private static String styles(Path source) throws IOException {
        try (var files = Files.walk(source)) {
            return files.filter(file -> file.toString().endsWith(".css"))
                    .filter(file -> !file.startsWith(source.resolve("guest")))
                    .map(file -> source.relativize(file).toString())
                    .sorted(Comparator.comparing((String name) -> !name.equals("base/theme.css"))
                            .thenComparing(name -> !name.startsWith("base/"))
                            .thenComparing(Comparator.naturalOrder()))
                    .map(name -> "@import \"" + source.resolve(name) + "\";\n")
                    .collect(Collectors.joining());
        }
    }

    /** Each test file, and each tool of tests, becomes one script that a JavaScript engine without a browser can execute. */
    private static void tests(Esbuild esbuild, Path source, Path output) throws IOException, InterruptedException {
        BuildFiles.empty(output);
        var options = new ArrayList<String>();
        try (var files = Files.walk(source)) {
            files.filter(file -> file.toString().matches(".*\\.(test|tool)\\.ts"))
                    .sorted()
                    .map(Path::toString)
                    .forEach(options::add);
        }
        options.addAll(List.of("--format=iife", "--target=es2022", "--outbase=" + source, "--outdir=" + output));
        esbuild.run(options);
    }
}
