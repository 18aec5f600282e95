package io.millrace.sandbox.npm;

import io.millrace.base.core.ShownText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Error output of the package manager for users: untrusted, because a registry controls much of its text, and npm adds paths of
 * this host.
 */
final class Complaint {
    private static final int SHOWN_CHARACTERS = 500;
    private static final String LOG_FILE = "A complete log of this run can be found in";

    /** Limit of bytes read, because a peer controls the length of npm's output. */
    private static final int READ_BYTES = 64 * 1024;

    private Complaint() {}

    /** Reads the beginning of a file of error output; bytes that are no UTF-8 become replacement characters. */
    static String read(Path errors, List<Path> folders) throws IOException {
        try (var in = Files.newInputStream(errors)) {
            return of(new String(in.readNBytes(READ_BYTES), StandardCharsets.UTF_8), folders);
        }
    }

    /** The text without lines about log files, control characters and the paths of these folders, cut. */
    static String of(String text, List<Path> folders) {
        var shown = text;
        for (var folder : folders) {
            shown = shown.replace(folder.toAbsolutePath() + "/", "")
                    .replace(folder.toAbsolutePath().toString(), ".");
        }
        var lines = shown.lines()
                .filter(line -> !line.contains(LOG_FILE))
                .map(line -> ShownText.of(line, SHOWN_CHARACTERS))
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining("\n"));
        return lines.substring(0, Math.min(SHOWN_CHARACTERS, lines.length()));
    }
}
