package io.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Prose of comments, messages, texts and pages (style, section 1): forbidden openings of Javadoc and figurative words. */
final class ProseTest {
    private static final Path MAIN = Path.of("src", "main", "java", "io", "millrace");
    private static final Path CONSOLE = Path.of("src", "main", "console");
    private static final Path SITE = Path.of("src", "site", "markdown");

    /** Comments, and literals that may contain the begin of a comment. */
    private static final Pattern TOKENS = Pattern.compile(
            "\"\"\".*?\"\"\"|\"[^\"\\\\\\n"
                    + "]*+(?:\\\\.[^\"\\\\\\n"
                    + "]*+)*+\"|'(?:[^'\\\\\\n"
                    + "]|\\\\.[^'\\n"
                    + "]*)'|//[^\\n"
                    + "]*|/\\*.*?\\*/",
            Pattern.DOTALL);

    private static final Pattern OPENING = Pattern.compile(
            "/\\*\\*[\\s*]*(?:What|Who|Whoever|Whatever|Whichever|Which|Those|Where|When|Why|How|Whether)\\b");

    private static final Pattern FIGURATIVE = Pattern.compile(
            "\\b(?:whoever|whatever|whichever|nobody|somebody|strangers?|elsewhere|any more|for ever|anew|under way|in"
                    + " vain|goes on|all the same|as it were|for good)\\b",
            Pattern.CASE_INSENSITIVE);

    /** British spelling of words that the project writes in American spelling. */
    private static final Pattern BRITISH = Pattern.compile(
            "\\b\\w*(?:colour|behaviour|neighbour|favour|honour|normalis|serialis|synchronis|recognis|organis|summaris"
                    + "|labelled|cancelled|cancelling|licence)\\w*",
            Pattern.CASE_INSENSITIVE);

    /** Code in comments and pages, and targets of links. */
    private static final Pattern CODE = Pattern.compile("\\{@\\w+ [^}]*}|`[^`]*`|]\\([^)]*\\)|@param \\w+");

    /** Words of messages and texts, in addition: each has a plain term (notify, receive, again, fix, running, continue). */
    private static final Pattern COLLOQUIAL = Pattern.compile(
            "\\b(?:told|heard|mend(?:s|ed)?|at work|go on|is there already)\\b", Pattern.CASE_INSENSITIVE);

    /** Identifiers of code and markup that look like words. */
    private static final Pattern IDENTIFIERS = Pattern.compile("noBody\\(\\)|id=\\\\?\"elsewhere\\\\?\"|#elsewhere");

    private static final Pattern TEXT_ENTRY =
            Pattern.compile("^ {2}'[^']+': '((?:[^'\\\\]|\\\\.)*)',?$", Pattern.MULTILINE);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "base",
                "sandbox",
                "account",
                "piece",
                "workspace",
                "authoring",
                "engine",
                "integration",
                "app",
            })
    void commentsOfAreasFollowTheRules(String area) {
        assertThat(findingsIn(MAIN.resolve(area), ".java")).isEmpty();
    }

    /** TypeScript and style sheets: documentation comments, block comments and line comments. */
    @ParameterizedTest
    @ValueSource(strings = {".ts", ".tsx", ".css"})
    void commentsOfTheConsoleFollowTheRules(String ending) {
        assertThat(findingsIn(CONSOLE, ending)).isEmpty();
    }

    private static List<String> findingsIn(Path folder, String ending) {
        var files = filesOf(folder, ending);
        assertThat(files).isNotEmpty();
        return files.stream()
                .flatMap(file -> comments(file).stream())
                .flatMap(ProseTest::findingsIn)
                .toList();
    }

    private static Stream<String> findingsIn(Part comment) {
        return Stream.concat(
                        Stream.of(OPENING, FIGURATIVE)
                                .flatMap(pattern ->
                                        pattern.matcher(comment.text()).results()),
                        british(comment.text()))
                .map(found -> comment.place() + ": " + found.group());
    }

    private static Stream<MatchResult> british(String text) {
        return BRITISH.matcher(CODE.matcher(text).replaceAll("")).results();
    }

    /** Literals of Java: error messages, log lines, help and descriptions. Statements of stores are excluded. */
    @Test
    void messagesHaveNoFigurativeWords() {
        var found = new ArrayList<String>();
        for (var file : filesOf(MAIN, ".java")) {
            if (!file.toString().endsWith("Store.java")) {
                literals(file.toString(), text(file)).forEach(token -> findsIn(token.place(), token.text(), found));
            }
        }

        assertThat(found).isEmpty();
    }

    @Test
    void textsOfTheConsoleHaveNoFigurativeWords() {
        var found = new ArrayList<String>();
        var texts = 0;
        for (var file : filesOf(CONSOLE.resolve(Path.of("base", "text")), ".ts")) {
            for (var entry : TEXT_ENTRY.matcher(text(file)).results().toList()) {
                texts++;
                findsIn(file.getFileName().toString(), entry.group(1), found);
            }
        }

        assertThat(found).isEmpty();
        assertThat(texts).isGreaterThan(1_000);
    }

    @Test
    void documentOfTheApiAndSettingsHaveNoFigurativeWords() {
        var found = new ArrayList<String>();
        for (var file : filesOf(Path.of("src", "main", "resources", "openapi"), ".yaml")) {
            findsIn(file.getFileName().toString(), text(file), found);
        }
        for (var file : List.of(
                Path.of("conf", "millrace.properties"), SITE.resolve("settings.md"), SITE.resolve("limits.md"))) {
            findsIn(file.getFileName().toString(), text(file), found);
        }

        assertThat(found).isEmpty();
    }

    private static void findsIn(String place, String text, List<String> found) {
        var words = IDENTIFIERS.matcher(text).replaceAll("");
        for (var pattern : List.of(FIGURATIVE, COLLOQUIAL)) {
            pattern.matcher(words).results().forEach(word -> found.add(place + ": " + word.group()));
        }
    }

    @Test
    void pagesHaveNoFigurativeWords() {
        var found = new ArrayList<String>();
        for (var file : filesOf(SITE, ".md")) {
            var text = text(file).replaceAll("decisions/[0-9a-z-]+", "");
            Stream.concat(FIGURATIVE.matcher(text).results(), british(text))
                    .forEach(word -> found.add(file + ": " + word.group()));
        }

        assertThat(found).isEmpty();
    }

    @Test
    void findsAnOpeningAndAWord_inCommentsOnly() {
        var source = "/** What a run keeps. */\nString a = \"/** Who */ nobody\";\n// nobody waits\n";

        var comments = comments("A.java", source);

        assertThat(comments).extracting(Part::place).containsExactly("A.java:1", "A.java:3");
        assertThat(OPENING.matcher(comments.getFirst().text()).lookingAt()).isTrue();
        assertThat(FIGURATIVE.matcher(comments.getLast().text()).find()).isTrue();
    }

    @Test
    void findsBritishSpelling_outsideOfCode() {
        assertThat(british("The colour of `colour`, and {@code cancelled}; Neighbours."))
                .extracting(MatchResult::group)
                .containsExactly("colour", "Neighbours");
    }

    @Test
    void findsAWord_inLiteralsOnly() {
        var source = "// nobody\nString a = \"is told\" + \"\"\"\n  for ever\"\"\";\n";

        var found = new ArrayList<String>();
        literals("A.java", source).forEach(token -> findsIn(token.place(), token.text(), found));

        assertThat(found).containsExactly("A.java:2: told", "A.java:2: for ever");
    }

    /** @param place file and line */
    private record Part(String place, String text) {}

    /** Literals of a source file. */
    private static List<Part> literals(String file, String source) {
        return scanned(file, source).stream()
                .filter(token -> token.text().startsWith("\""))
                .toList();
    }

    private static List<Part> comments(Path file) {
        return comments(file.toString(), text(file));
    }

    private static List<Part> comments(String file, String source) {
        return scanned(file, source).stream()
                .filter(token -> token.text().startsWith("/"))
                .toList();
    }

    /** Comments and literals of a source file. */
    private static List<Part> scanned(String file, String source) {
        var found = new ArrayList<Part>();
        var line = 1;
        var end = 0;
        var tokens = TOKENS.matcher(source);
        while (tokens.find()) {
            line += (int) source.substring(end, tokens.start())
                    .chars()
                    .filter(c -> c == '\n')
                    .count();
            end = tokens.start();
            found.add(new Part(file + ":" + line, tokens.group()));
        }
        return found;
    }

    private static List<Path> filesOf(Path folder, String ending) {
        try (var files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
