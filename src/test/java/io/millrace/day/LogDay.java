package io.millrace.day;

import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Point-in-time recovery from the write-ahead log: the first of two flows is restored, and the later one is not. */
final class LogDay {
    private static final Duration START = Duration.ofMinutes(3);

    /** A segment with any content is finished after a minute. */
    private static final Duration SEGMENT = Duration.ofMinutes(5);

    private final PackagedFile file;
    private final Path files;
    private final DayFindings findings;

    LogDay(PackagedFile file, Path files, DayFindings findings) {
        this.file = file;
        this.files = files;
        this.findings = findings;
    }

    void pass() throws IOException {
        var kept = files.resolve("kept");
        var settings = Map.of("AP_BACKUP_AT", "03:00", "AP_BACKUP_TARGET", kept.toString(), "AP_BACKUP_WAL", "true");
        try (var source = DataDirectory.create();
                var target = DataDirectory.create()) {
            Instant between;
            try (var server = file.start(source.path(), settings, List.of("run"))) {
                var flow = PublishedFlow.create(server.api(START), Day.demoFlow());
                Waiting.until("base copy taken", START, () -> hasFile(kept, ".base"));
                flow.beside(Day.demoFlow());
                Waiting.until(
                        "the copy's second is over", START, () -> now(source).isAfter(newestBase(kept)));
                between = now(source);
                flow.beside(Day.demoFlow());
                source.ask("select pg_switch_wal()::text");
                var segment = source.ask("select pg_walfile_name(pg_switch_wal())");
                flow.beside(Day.demoFlow());
                source.ask("select pg_switch_wal()::text");
                Waiting.until("the segments are kept", SEGMENT, () -> hasFile(kept, segment + ".log"));
                server.kill();
            }
            var began = System.nanoTime();
            var restored = file.run(
                    target.path(),
                    Map.of(),
                    "restore",
                    "--from",
                    kept.toString(),
                    "--at",
                    between.toString(),
                    "--json");
            findings.add(
                    "a moment is restored by the log",
                    restored.isOk(),
                    Day.msSince(began) + " ms, " + restored.told("segments", "lastChange", "rows"));
            try (var server = file.start(target.path(), Map.of(), List.of("run"))) {
                server.port(START);
                var flows = target.ask("select count(*) from flow");
                findings.add(
                        "it has what was before, and not what was behind", flows.equals("2"), flows + " of 4 flows");
            }
        }
    }

    private static Instant now(DataDirectory directory) {
        return Instant.parse(directory.ask(
                "select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"));
    }

    private static boolean hasFile(Path folder, String end) {
        return named(folder, end).isPresent();
    }

    private static Instant newestBase(Path folder) {
        var name = named(folder, ".base").orElseThrow().getFileName().toString();
        var digits = name.substring("base-".length(), "base-".length() + 16);
        return Instant.parse(
                digits.replaceFirst("(\\d{4})(\\d\\d)(\\d\\d)T(\\d\\d)(\\d\\d)(\\d\\d)Z", "$1-$2-$3T$4:$5:$6Z"));
    }

    private static Optional<Path> named(Path folder, String end) {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (var all = Files.walk(folder)) {
            return all.filter(path -> path.getFileName().toString().endsWith(end))
                    .findFirst();
        } catch (IOException | UncheckedIOException moving) {
            return Optional.empty();
        }
    }
}
