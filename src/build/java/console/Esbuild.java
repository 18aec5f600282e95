package console;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs of the bundler. What it has to say goes to the build's output; a failed run ends the build. */
final class Esbuild {
    private final Path packages;
    private final Path source;

    Esbuild(Path packages, Path source) {
        this.packages = packages;
        this.source = source;
    }

    void run(List<String> options) throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(binary().toString());
        command.addAll(options);
        command.addAll(List.of(
                "--bundle",
                "--jsx=automatic",
                "--jsx-import-source=preact",
                "--log-level=warning",
                "--charset=utf8",
                "--tsconfig=" + source.resolve("tsconfig.json")));
        var builder = new ProcessBuilder(command).inheritIO().directory(source.toFile());
        builder.environment().put("NODE_PATH", packages.toString());
        var status = builder.start().waitFor();
        if (status != 0) {
            throw new IllegalStateException("esbuild ended with status " + status);
        }
    }

    private Path binary() {
        var platform = "aarch64".equals(System.getProperty("os.arch")) ? "linux-arm64" : "linux-x64";
        return packages.resolve("@esbuild").resolve(platform).resolve("bin/esbuild");
    }
}
