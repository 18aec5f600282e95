package io.millrace.sandbox.code;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Programs by their source, least recently used first to go, bounded by the characters they hold. */
final class ProgramCache {
    private static final long CHARACTERS_MAX = 16L << 20;

    private final LinkedHashMap<Key, CodeProgram> programs = new LinkedHashMap<>(16, 0.75f, true);
    private long characters;

    /** What a program is made of. */
    record Key(String sourceCode, List<String> dependencies) {}

    synchronized Optional<CodeProgram> find(Key key) {
        return Optional.ofNullable(programs.get(key));
    }

    synchronized void put(Key key, CodeProgram program) {
        CodeProgram replaced = programs.put(key, program);
        characters += weight(key, program) - (replaced == null ? 0 : weight(key, replaced));
        while (characters > CHARACTERS_MAX && programs.size() > 1) {
            Map.Entry<Key, CodeProgram> eldest = programs.firstEntry();
            programs.remove(eldest.getKey());
            characters -= weight(eldest.getKey(), eldest.getValue());
        }
    }

    private static long weight(Key key, CodeProgram program) {
        return (long) key.sourceCode().length() + program.javaScript().length();
    }
}
