package io.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.config.Setting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Decision records: their headers, the records that texts refer to, and the classes, settings, tables and files that records name. */
final class DecisionsTest {
    private static final Path RECORDS = Path.of("src", "site", "markdown", "decisions");

    /** Header fields in each notation in use: {@code - Status: accepted}, {@code Status: accepted.}, {@code **Status.** Accepted}. */
    private static final Pattern STATUS =
            Pattern.compile("\\bStatus[:.](?:\\*\\*)? +(?:[Aa]ccepted|[Ss]uperseded by (\\d{4}))\\b");

    private static final Pattern DATE = Pattern.compile("\\bDate[:.](?:\\*\\*)? +\\d{4}-\\d{2}-\\d{2}\\b");
    private static final Pattern AREA = Pattern.compile("\\bArea[:.](?:\\*\\*)? +\\w");
    private static final Pattern REVISIT = Pattern.compile("\\*\\*Revisit when");

    private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");
    private static final Pattern SETTING = Pattern.compile("\\bAP_[A-Z0-9_]*[A-Z0-9]\\b");

    /** A type in backticks, perhaps with its package, and with a nested type, a member or arguments. */
    private static final Pattern TYPE =
            Pattern.compile("(?:[a-z]+[./])*([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)(?:\\.([A-Z][a-z]\\w*))?(?:[.(].*)?");

    private static final Pattern OUTER = Pattern.compile("([A-Z][a-z0-9]+)\\.([A-Z][a-z]\\w*)");
    private static final Pattern TABLE = Pattern.compile("([a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?:\\.\\w+)?");
    private static final Pattern FILE = Pattern.compile("(scripts/\\w+|(?:src|conf|scripts|\\.ci)/[\\w./-]+)(?: .*)?");

    private static final Pattern DECLARATION = Pattern.compile("\\b(?:class|interface|record|enum)\\s+([A-Z]\\w*)");
    private static final Pattern NAME = Pattern.compile("\\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\\b");

    /** Numbers of decisions in comments, scripts and pages, also after a line break of a comment. */
    private static final Pattern MENTION =
            Pattern.compile("\\b[Dd]ecisions?[\\s*#/]+0\\d{3}(?:(?:,|[\\s*#/]+and|[\\s*#/]+or)[\\s*#/]+0\\d{3})*");

    private static final Pattern NUMBER = Pattern.compile("(?<![\\d.-])\\b0[0-9]\\d{2}\\b");
    private static final Pattern TEXT =
            Pattern.compile(".*\\.(?:java|ts|tsx|js|py|sh|md|sql|yaml|properties|xml)|[^.]*");

    /** A line of the index: number, file and title. */
    private static final Pattern ENTRY = Pattern.compile("(?m)^- \\[(0\\d{3})]\\(([^)]*)\\) (.*)$");

    /** Names of libraries, standards, JVM options and programs that records mention. */
    private static final Set<String> FOREIGN = Set.of(
            "DecompressionStream",
            "HttpServerConnection",
            "InlineSmallCode",
            "LogRecordData",
            "LongAdder",
            "NetClient",
            "ObjectChecker",
            "SessionNotOnOrAfter",
            "SpanData",
            "TokenCredentials",
            "TrimNativeHeapInterval",
            "memfd_create",
            "pg_basebackup",
            "pg_dump");

    /** Records that the index marks as those to read first: about 80. */
    private static final int READ_FIRST_MAX = 85;

    @Test
    void recordsHaveStatusDateAreaAndRevisit() {
        var wrong = new ArrayList<String>();
        forEachRecord((number, text) -> {
            for (var field : List.of(STATUS, DATE, AREA, REVISIT)) {
                if (!field.matcher(text).find()) {
                    wrong.add(number + " lacks " + field);
                }
            }
        });

        assertThat(wrong).isEmpty();
    }

    @Test
    void typesThatRecordsName_exist() {
        var types = new HashSet<>(FOREIGN);
        for (var folder : List.of("src/main/java", "src/test/java", "src/build/java", "src/jmh/java")) {
            names(Path.of(folder), ".java", DECLARATION, types);
        }
        var named = new TreeSet<String>();
        var missing = new TreeSet<String>();
        forEachName(TYPE, (number, found) -> check(types, number, found, named, missing));
        forEachName(OUTER, (number, found) -> check(types, number, found, named, missing));

        assertThat(named).hasSizeGreaterThan(100);
        assertThat(missing).isEmpty();
    }

    @Test
    void settingsThatRecordsName_exist() {
        var settings = new HashSet<String>();
        for (var setting : Setting.values()) {
            settings.add(setting.name());
        }
        var missing = new TreeSet<String>();
        forEachRecord((number, text) -> SETTING.matcher(text)
                .results()
                .map(MatchResult::group)
                .filter(name -> !settings.contains(name))
                .forEach(name -> missing.add(number + ": " + name)));

        assertThat(settings).contains("AP_PORT");
        assertThat(missing).isEmpty();
    }

    /**
     * Tables of the migrations, and fields, tools and functions of the same form, which occur somewhere in the main
     * sources.
     */
    @Test
    void tablesThatRecordsName_exist() {
        var names = new HashSet<>(FOREIGN);
        names(Path.of("src", "main", "resources", "db"), ".sql", NAME, names);
        assertThat(names).contains("ended_run");
        names(Path.of("src", "main"), "", NAME, names);
        var missing = new TreeSet<String>();
        forEachName(TABLE, (number, found) -> check(names, number, found, new TreeSet<>(), missing));

        assertThat(missing).isEmpty();
    }

    @Test
    void filesThatRecordsName_exist() {
        var missing = new TreeSet<String>();
        forEachName(FILE, (number, found) -> {
            if (!Files.exists(Path.of(found.group(1)))) {
                missing.add(number + ": " + found.group(1));
            }
        });

        assertThat(missing).isEmpty();
    }

    /** A reference to a record that was merged into another one is replaced by the other one. */
    @Test
    void recordsThatTextsName_exist() {
        var numbers = new TreeSet<String>();
        files(RECORDS, ".md").forEach(record -> numbers.add(number(record)));
        var missing = new TreeSet<String>();
        for (var folder : List.of("src", "conf", "scripts")) {
            for (var file : files(Path.of(folder), "")) {
                if (!file.startsWith(RECORDS)
                        && TEXT.matcher(file.getFileName().toString()).matches()) {
                    MENTION.matcher(text(file))
                            .results()
                            .forEach(mention -> NUMBER.matcher(mention.group())
                                    .results()
                                    .filter(number -> !numbers.contains(number.group()))
                                    .forEach(number -> missing.add(file + ": " + number.group())));
                }
            }
        }
        forEachRecord((record, text) -> NUMBER.matcher(CODE.matcher(text).replaceAll(""))
                .results()
                .filter(number -> !numbers.contains(number.group()))
                .forEach(number -> missing.add(record + ": " + number.group())));

        assertThat(missing).isEmpty();
    }

    @Test
    void supersededRecords_nameTheirSuccessor() {
        var successors = new TreeSet<String>();
        var numbers = new TreeSet<String>();
        for (var record : files(RECORDS, ".md")) {
            numbers.add(number(record));
            STATUS.matcher(text(record))
                    .results()
                    .filter(found -> found.group(1) != null)
                    .forEach(found -> successors.add(found.group(1)));
        }

        assertThat(numbers).containsAll(successors);
    }

    @Test
    void indexMarksFewRecordsAsThoseToReadFirst() {
        var count = 0;
        var isFirst = false;
        for (var line : text(RECORDS.resolve("index.md")).lines().toList()) {
            if (line.equals("Read first:") || line.equals("Others:")) {
                isFirst = line.equals("Read first:");
            } else if (isFirst && line.startsWith("- [")) {
                count++;
            }
        }

        assertThat(count).isBetween(50, READ_FIRST_MAX);
    }

    @Test
    void indexListsEachRecordOnce_underItsTitle() {
        var titles = new ArrayList<String>();
        for (var record : files(RECORDS, ".md")) {
            if (!record.endsWith("index.md")) {
                var title = text(record).lines().findFirst().orElseThrow().substring("# ".length());
                assertThat(title).startsWith(number(record) + " ");
                titles.add("%s (%s)".formatted(title, record.getFileName()));
            }
        }
        var listed = ENTRY.matcher(text(RECORDS.resolve("index.md")))
                .results()
                .map(entry -> "%s %s (%s)".formatted(entry.group(1), entry.group(3), entry.group(2)))
                .toList();

        assertThat(listed).containsExactlyInAnyOrderElementsOf(titles);
    }

    private static void check(
            Set<String> known, String number, MatchResult found, Set<String> named, Set<String> missing) {
        for (var group = 1; group <= found.groupCount(); group++) {
            var name = found.group(group);
            if (name != null) {
                named.add(name);
                if (!known.contains(name)) {
                    missing.add(number + ": " + name);
                }
            }
        }
    }

    /** Names of one form in backticks, in records that are in force. */
    private static void forEachName(Pattern form, BiConsumer<String, MatchResult> consumer) {
        forEachRecord((number, text) -> CODE.matcher(text).results().forEach(code -> {
            var matcher = form.matcher(code.group(1));
            if (matcher.matches()) {
                consumer.accept(number, matcher.toMatchResult());
            }
        }));
    }

    /** Records in force: superseded ones may name removed classes. */
    private static void forEachRecord(BiConsumer<String, String> consumer) {
        var count = 0;
        for (var record : files(RECORDS, ".md")) {
            var text = text(record);
            var isSuperseded = STATUS.matcher(text).results().anyMatch(found -> found.group(1) != null);
            if (!record.endsWith("index.md") && !isSuperseded) {
                consumer.accept(number(record), text);
                count++;
            }
        }
        assertThat(count).isGreaterThan(100);
    }

    private static String number(Path record) {
        return record.getFileName().toString().substring(0, 4);
    }

    private static void names(Path folder, String ending, Pattern pattern, Set<String> into) {
        for (var file : files(folder, ending)) {
            if (TEXT.matcher(file.getFileName().toString()).matches()) {
                pattern.matcher(text(file))
                        .results()
                        .map(found -> found.groupCount() == 0 ? found.group() : found.group(1))
                        .forEach(into::add);
            }
        }
    }

    private static List<Path> files(Path folder, String ending) {
        try (var files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().endsWith(ending))
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
