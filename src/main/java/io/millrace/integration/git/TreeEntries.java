package io.millrace.integration.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.TreeFormatter;
import org.eclipse.jgit.treewalk.CanonicalTreeParser;

/**
 * Mutable entries of one tree. Subtrees are not read: a few trees that refer to each other repeatedly can expand to more files
 * than fit in memory.
 */
final class TreeEntries {
    private record Entry(FileMode mode, ObjectId id) {
        boolean isTree() {
            return mode.equals(FileMode.TREE);
        }
    }

    /** By the bytes of their names, a character for each byte: names need not be text. */
    private final Map<String, Entry> byName = new HashMap<>();

    static TreeEntries read(ObjectReader reader, Optional<ObjectId> tree) throws IOException {
        var entries = new TreeEntries();
        if (tree.isEmpty()) {
            return entries;
        }
        var parser = new CanonicalTreeParser();
        for (parser.reset(reader, tree.get()); !parser.eof(); parser.next(1)) {
            var name = new byte[parser.getNameLength()];
            parser.getName(name, 0);
            entries.byName.put(
                    new String(name, StandardCharsets.ISO_8859_1),
                    new Entry(parser.getEntryFileMode(), parser.getEntryObjectId()));
        }
        return entries;
    }

    private static String key(String name) {
        return new String(Constants.encode(name), StandardCharsets.ISO_8859_1);
    }

    Optional<ObjectId> tree(String name) {
        return Optional.ofNullable(byName.get(key(name))).filter(Entry::isTree).map(Entry::id);
    }

    List<String> files(Predicate<String> test) {
        return byName.entrySet().stream()
                .filter(entry -> !entry.getValue().isTree() && test.test(entry.getKey()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    void putFile(String name, ObjectId blob) {
        byName.put(key(name), new Entry(FileMode.REGULAR_FILE, blob));
    }

    void remove(String name) {
        byName.remove(key(name));
    }

    /**
     * Replaces the entry of this name by a tree. Git does not store empty trees, so an empty one only removes a tree of this
     * name.
     */
    void putTree(String name, TreeEntries tree, ObjectInserter inserter) throws IOException {
        if (!tree.byName.isEmpty()) {
            byName.put(key(name), new Entry(FileMode.TREE, tree.insert(inserter)));
        } else if (tree(name).isPresent()) {
            remove(name);
        }
    }

    /** Git orders trees as if their names ended with a slash. */
    ObjectId insert(ObjectInserter inserter) throws IOException {
        var tree = new TreeFormatter();
        byName.entrySet().stream()
                .sorted(Comparator.comparing(TreeEntries::ordered))
                .forEach(entry -> {
                    var name = entry.getKey().getBytes(StandardCharsets.ISO_8859_1);
                    var what = entry.getValue();
                    tree.append(name, 0, name.length, what.mode(), what.id());
                });
        return inserter.insert(tree);
    }

    private static String ordered(Map.Entry<String, Entry> entry) {
        return entry.getKey() + (entry.getValue().isTree() ? '/' : '\0');
    }
}
