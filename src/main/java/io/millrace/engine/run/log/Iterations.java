package io.millrace.engine.run.log;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The iterations of a loop in the log. Only the latest are trees; earlier ones are kept as text, which takes a tenth of
 * the memory, and are parsed again on access. An iteration that is text is never changed.
 */
final class Iterations extends AbstractList<JsonNode> {
    private static final int TREES_MAX = 4;

    private final List<byte[]> texts = new ArrayList<>();
    private final Deque<JsonNode> trees = new ArrayDeque<>(TREES_MAX + 1);

    @Override
    public int size() {
        return texts.size() + trees.size();
    }

    @Override
    public JsonNode get(int index) {
        if (index < texts.size()) {
            return RecordText.read(texts.get(index));
        }
        var skipped = index - texts.size();
        for (var tree : trees) {
            if (skipped-- == 0) {
                return tree;
            }
        }
        throw new IndexOutOfBoundsException(index);
    }

    @Override
    public boolean add(JsonNode iteration) {
        trees.addLast(iteration);
        if (trees.size() > TREES_MAX) {
            texts.add(RecordText.of(trees.removeFirst()).getBytes());
        }
        return true;
    }
}
