package io.millrace.workspace.model.format;

import java.util.Locale;
import java.util.function.Consumer;

/**
 * Separates text between {@code <think>} and {@code </think>} from an answer that arrives in pieces, cut anywhere. Tags
 * in fenced code and after a backtick are part of the answer. Thoughts that are not closed last to the end, or to the
 * last closing tag; a closing tag without an opening one, as models write whose prompt opens it, ends thoughts that
 * began with the text.
 */
public final class ThoughtSplitter {
    private static final String OPEN = "<think>";
    private static final String CLOSE = "</think>";
    private static final int FENCE_LENGTH = 3;

    private final Consumer<String> consumer;
    private final StringBuilder answer = new StringBuilder();
    private final StringBuilder thoughts = new StringBuilder();
    private final StringBuilder tag = new StringBuilder();
    private int depth;
    private int closedAt = -1;
    private int orphanAt = -1;
    private int emitted;
    private boolean hasThoughts;
    private boolean hasAnswered;

    /** Fence that is open, {@code `} or {@code ~}; 0 for none. */
    private char fence;

    private int fenceLength;
    private int lineStart;

    public record Split(String text, String thoughts) {}

    /** @param consumer receives the text of the answer as soon as it is known to be no thought */
    public ThoughtSplitter(Consumer<String> consumer) {
        this.consumer = consumer;
    }

    static Split split(String text) {
        var splitter = new ThoughtSplitter(_ -> {});
        splitter.add(text);
        return splitter.finish();
    }

    public void add(String piece) {
        for (var at = 0; at < piece.length(); at++) {
            add(piece.charAt(at));
        }
        emit();
    }

    private void add(char character) {
        if (tag.isEmpty() && character != '<') {
            plain(character);
            return;
        }
        tag.append(character);
        var lower = tag.toString().toLowerCase(Locale.ROOT);
        if (lower.equals(OPEN)) {
            open();
        } else if (lower.equals(CLOSE)) {
            close();
        } else if (!OPEN.startsWith(lower) && !CLOSE.startsWith(lower)) {
            // The last character may begin another tag.
            tag.setLength(tag.length() - 1);
            literal();
            add(character);
        }
    }

    private void literal() {
        for (var at = 0; at < tag.length(); at++) {
            plain(tag.charAt(at));
        }
        tag.setLength(0);
    }

    private void open() {
        if (depth == 0 && isCode()) {
            literal();
            return;
        }
        depth++;
        if (depth == 1) {
            hasThoughts = true;
            if (!thoughts.isEmpty()) {
                thoughts.append('\n');
            }
        } else {
            thoughts.append(tag);
        }
        tag.setLength(0);
    }

    private void close() {
        if (depth == 0) {
            if (isCode() || hasThoughts) {
                literal();
                return;
            }
            tag.setLength(0);
            hasThoughts = true;
            orphanAt = answer.length();
            return;
        }
        depth--;
        if (depth > 0) {
            closedAt = thoughts.length();
            thoughts.append(tag);
        } else {
            closedAt = -1;
            lineStart = answer.length();
        }
        tag.setLength(0);
    }

    private void plain(char character) {
        if (depth > 0) {
            thoughts.append(character);
            return;
        }
        answer.append(character);
        if (character == '\n') {
            endLine();
            lineStart = answer.length();
        }
    }

    private boolean isCode() {
        return fence != 0
                || !answer.isEmpty() && answer.charAt(answer.length() - 1) == '`'
                || fenceAt(lineStart) >= FENCE_LENGTH;
    }

    private void endLine() {
        var length = fenceAt(lineStart);
        if (length < FENCE_LENGTH) {
            return;
        }
        var mark = answer.charAt(fenceStart(lineStart));
        if (fence == 0) {
            fence = mark;
            fenceLength = length;
        } else if (fence == mark && length >= fenceLength && isRestBlank(fenceStart(lineStart) + length)) {
            fence = 0;
        }
    }

    private boolean isRestBlank(int from) {
        return answer.substring(from).isBlank();
    }

    /** Length of the fence that a line begins with; 0 for none. */
    private int fenceAt(int start) {
        var from = fenceStart(start);
        if (from >= answer.length() || answer.charAt(from) != '`' && answer.charAt(from) != '~') {
            return 0;
        }
        var end = from;
        while (end < answer.length() && answer.charAt(end) == answer.charAt(from)) {
            end++;
        }
        return end - from;
    }

    private int fenceStart(int start) {
        var from = start;
        while (from < answer.length() && from < start + FENCE_LENGTH && answer.charAt(from) == ' ') {
            from++;
        }
        return from;
    }

    private void emit() {
        var from = emitted;
        while (hasThoughts && !hasAnswered && from < answer.length() && Character.isWhitespace(answer.charAt(from))) {
            from++;
        }
        hasAnswered |= from < answer.length();
        if (from < answer.length()) {
            consumer.accept(answer.substring(from));
        }
        emitted = answer.length();
    }

    public Split finish() {
        if (depth > 0) {
            thoughts.append(tag);
        } else {
            answer.append(tag);
        }
        tag.setLength(0);
        if (depth > 0 && closedAt >= 0) {
            answer.append(thoughts, closedAt + CLOSE.length(), thoughts.length());
            thoughts.setLength(closedAt);
        }
        if (orphanAt >= 0) {
            thoughts.insert(0, answer.substring(0, orphanAt));
            answer.delete(0, orphanAt);
        }
        emit();
        var text = hasThoughts ? answer.toString().stripLeading() : answer.toString();
        return new Split(text, thoughts.toString().strip());
    }
}
