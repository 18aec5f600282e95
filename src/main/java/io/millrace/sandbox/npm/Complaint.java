package io.millrace.sandbox.npm;

import io.millrace.base.core.CutText;
import io.millrace.base.core.text.ShownText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
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

    private static final Map<String, String> SENTENCES = Map.of(
            "E404", "the registry has no package of this name and version",
            "ETARGET", "the registry has no such version of the package or of one of its dependencies",
            "ENOVERSIONS", "the package has no versions",
            "ENOTFOUND", "the registry cannot be reached: unknown host",
            "EAI_AGAIN", "the registry cannot be reached: its address cannot be resolved",
            "ECONNREFUSED", "the registry cannot be reached: connection refused",
            "ETIMEDOUT", "the registry cannot be reached: it does not answer in time",
            "E401", "the registry asks for credentials",
            "E403", "the registry refuses access to the package",
            "EINTEGRITY", "the package is damaged: its checksum differs from the one of the registry");

    private static final Pattern CODE = Pattern.compile("(?m)^npm (?:error|ERR!) code (E[A-Z0-9_]+)$");

    /** The reason in one sentence where npm names a known code; otherwise its error output. */
    static String reason(int exit, Path errors, List<Path> folders) throws IOException {
        return reason(exit, read(errors, folders));
    }

    /** The sentence for the error code in the output; otherwise the exit code and the output. */
    static String reason(int exit, String output) {
        var code = CODE.matcher(output);
        return (code.find() ? Optional.ofNullable(SENTENCES.get(code.group(1))) : Optional.<String>empty())
                .orElseGet(() -> "npm ended with " + exit + ": " + output);
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
        return CutText.of(lines, SHOWN_CHARACTERS);
    }
}
