package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Search among the tools of a server, for a server with more tools than a client should load. Its list then consists of a tool
 * that searches, a tool that calls what was found, and pinned tools.
 */
public final class ToolSearch {
    public static final String SEARCH = "ap_search_tools";
    public static final String CALL = "ap_call_tool";

    private static final String QUERY = "query";
    private static final String LIMIT = "limit";
    private static final String NAME = "name";
    private static final String ARGUMENTS = "arguments";
    private static final int LIMIT_DEFAULT = 10;
    private static final int LIMIT_MAX = 50;
    private static final int WORDS_MAX = 32;

    /** Size of a result, which a model reads whole; the best tool is returned even if it is larger. */
    private static final int RESULT_CHARS_MAX = 64 * 1024;

    private static final int EXACT = 6;
    private static final int BEGINNING = 4;
    private static final int PART = 2;

    /** Weight of a word in the name or title, compared with one in the description. */
    private static final int NAME_WEIGHT = 3;

    private static final int STEM_LENGTH_MIN = 3;
    private static final Pattern SEPARATORS = Pattern.compile("[^\\p{L}\\p{N}]+");

    private ToolSearch() {}

    public record FoundCall(String name, ObjectNode arguments) {}

    /**
     * The listed tools: all that are offered, or the search, the call and the pinned ones.
     *
     * @param pinned names, the most important first
     * @param listedMax size of the list, the search and the call included
     */
    public static List<ToolSpec> listed(List<ToolSpec> offered, List<String> pinned, int listedMax) {
        if (offered.size() <= listedMax) {
            return offered;
        }
        var listed = new ArrayList<>(List.of(searchSpec(offered.size()), callSpec()));
        pinned.stream()
                .distinct()
                .flatMap(name -> offered.stream().filter(spec -> spec.name().equals(name)))
                .limit(listedMax - listed.size())
                .forEach(listed::add);
        return listed;
    }

    private static ToolSpec searchSpec(int offered) {
        return new ToolSpec(
                SEARCH,
                "Search tools",
                "Finds tools by words in their names and descriptions. This server has " + offered + " tools and lists"
                        + " only some: search before you conclude that a tool is missing. Returns name, description and"
                        + " input schema of each match, the best first; call it with " + CALL + ".",
                searchInput(),
                null,
                ToolSpec.Effect.READS);
    }

    private static ToolInput searchInput() {
        return ToolInput.none()
                .text(QUERY, "Words, for example: send invoice.")
                .whole(LIMIT, "Number of tools, at most " + LIMIT_MAX + "; default: " + LIMIT_DEFAULT + ".")
                .requiring(QUERY);
    }

    private static ToolSpec callSpec() {
        return new ToolSpec(
                CALL,
                "Call a tool",
                "Calls a tool that " + SEARCH + " has found.",
                callInput(),
                null,
                ToolSpec.Effect.UNKNOWN);
    }

    private static ToolInput callInput() {
        return ToolInput.none()
                .text(NAME, "Name of the tool.")
                .object(ARGUMENTS, "Arguments, as the input schema of the tool describes them.")
                .requiring(NAME);
    }

    public static ToolResult search(List<ToolSpec> offered, ObjectNode arguments) {
        var objections = searchSpec(offered.size()).objections(arguments);
        if (!objections.isEmpty()) {
            return ToolResult.invalid(objections);
        }
        var words = words(arguments.path(QUERY).textValue()).stream()
                .limit(WORDS_MAX)
                .toList();
        if (words.isEmpty()) {
            return ToolResult.invalid(List.of(QUERY + ": expected at least one word"));
        }
        var limit = Math.clamp(arguments.path(LIMIT).asLong(LIMIT_DEFAULT), 1, LIMIT_MAX);
        return result(matches(offered, words), limit);
    }

    /** Empty with objections when the call cannot be read. */
    public static Optional<FoundCall> readCall(ObjectNode arguments, List<String> objections) {
        objections.addAll(callInput().objections(arguments));
        objections.addAll(callInput().unknown(arguments));
        var name = arguments.path(NAME).asText();
        if (name.equals(SEARCH) || name.equals(CALL)) {
            objections.add(NAME + ": expected a tool that " + SEARCH + " has found, found " + name);
        }
        var given = arguments.path(ARGUMENTS) instanceof ObjectNode object ? object : Json.object();
        return objections.isEmpty() ? Optional.of(new FoundCall(name, given)) : Optional.empty();
    }

    private record Match(ToolSpec spec, int wordCount, int score) {}

    /** Tools with most of the words first; equal ones in the order of the list. */
    private static List<ToolSpec> matches(List<ToolSpec> offered, List<String> words) {
        return offered.stream()
                .map(spec -> match(spec, words))
                .filter(match -> match.wordCount() > 0)
                .sorted(Comparator.comparingInt(Match::wordCount)
                        .thenComparingInt(Match::score)
                        .reversed())
                .map(Match::spec)
                .toList();
    }

    private static Match match(ToolSpec spec, List<String> words) {
        var name = new HashSet<>(words(spec.name() + ' ' + spec.title()));
        var description = new HashSet<>(words(spec.description()));
        var wordCount = 0;
        var score = 0;
        for (var word : words) {
            var found = Math.max(NAME_WEIGHT * best(word, name), best(word, description));
            wordCount += found > 0 ? 1 : 0;
            score += found;
        }
        return new Match(spec, wordCount, score);
    }

    private static int best(String word, Iterable<String> tokens) {
        var best = 0;
        for (var token : tokens) {
            best = Math.max(best, likeness(word, token));
        }
        return best;
    }

    /** Likeness of two words; {@code invoices} finds {@code invoice} and the reverse. */
    private static int likeness(String word, String token) {
        if (token.equals(word)) {
            return EXACT;
        }
        if (token.startsWith(word) || token.length() >= STEM_LENGTH_MIN && word.startsWith(token)) {
            return BEGINNING;
        }
        return word.length() >= STEM_LENGTH_MIN && token.contains(word) ? PART : 0;
    }

    private static List<String> words(String text) {
        return Arrays.stream(SEPARATORS.split(text.toLowerCase(Locale.ROOT)))
                .filter(word -> !word.isEmpty())
                .distinct()
                .toList();
    }

    private static ToolResult result(List<ToolSpec> matches, long limit) {
        var result = Json.object().put("matchCount", matches.size());
        var tools = result.putArray("tools");
        var chars = 0;
        for (var spec : matches.stream().limit(limit).toList()) {
            var tool = spec.toJson();
            chars += Json.text(tool).length();
            if (chars > RESULT_CHARS_MAX && !tools.isEmpty()) {
                break;
            }
            tools.add(tool);
        }
        if (matches.isEmpty()) {
            result.put("hint", "No tool has any of these words. Search with other words.");
        } else if (tools.size() < matches.size()) {
            result.put(
                    "hint",
                    (matches.size() - tools.size()) + " more matches: search with more words or a higher" + " limit.");
        }
        return ToolResult.json(result);
    }
}
