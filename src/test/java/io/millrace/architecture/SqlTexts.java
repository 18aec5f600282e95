package io.millrace.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.StringEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** Statements, and parts of them, in compiled classes, where constants are already concatenated. */
final class SqlTexts {
    /** Words that occur only in SQL statements. */
    private static final Pattern SQL = Pattern.compile(
            "\\b(select|insert into|delete from|truncate|lock table|returning)\\b|\\bupdate \\w+\\b.*\\bset\\b"
                    + "|\\bjoin \\w+ .*\\bon\\b",
            Pattern.DOTALL);

    /** Words before the name of a table. */
    private static final Pattern TABLE_FOLLOWS =
            Pattern.compile("\\b(?:from|join|into|update|using|table|only|truncate)\\s+(?=\\w)");

    /** A table with or without an alias, and the comma before the next one. */
    private static final Pattern LISTED = Pattern.compile("(\\w+)(?:\\s+(?:as\\s+)?\\w+)?(\\s*,\\s*)?");

    private static final Pattern QUOTED = Pattern.compile("'(?:[^']|'')*'");

    private SqlTexts() {}

    /** SQL texts of a class; every text of a store, because it may be part of a statement. */
    static List<String> of(JavaClass type) {
        var isStore = MainClasses.namedAs("Store", "Batch").test(type);
        return texts(type).stream()
                .filter(text -> isStore || SQL.matcher(text).find())
                .toList();
    }

    /** Names at the positions of tables in a statement. */
    static Set<String> tables(String sql) {
        var bare = QUOTED.matcher(sql).replaceAll("''");
        var found = new TreeSet<String>();
        var word = TABLE_FOLLOWS.matcher(bare);
        while (word.find()) {
            var table = LISTED.matcher(bare).region(word.end(), bare.length());
            var isNext = true;
            while (isNext && table.lookingAt()) {
                found.add(table.group(1));
                isNext = table.group(2) != null;
                table.region(table.end(), bare.length());
            }
        }
        return found;
    }

    private static List<String> texts(JavaClass type) {
        var uri = type.getSource().orElseThrow().getUri();
        var texts = new ArrayList<String>();
        try (var file = uri.toURL().openStream()) {
            var pool = ClassFile.of().parse(file.readAllBytes()).constantPool();
            StreamSupport.stream(pool.spliterator(), false)
                    .filter(StringEntry.class::isInstance)
                    .map(entry -> ((StringEntry) entry).stringValue())
                    .forEach(texts::add);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return texts;
    }
}
