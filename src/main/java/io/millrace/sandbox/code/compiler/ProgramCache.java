package io.millrace.sandbox.code.compiler;

import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.cache.Caches;
import io.millrace.sandbox.code.CodeProgram;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Programs by source, least recently or frequently used ones evicted first, bounded by their characters. */
final class ProgramCache {
    private static final long CHARACTERS_MAX = 16L << 20;

    /** Entries never become stale; an unused program is recompiled in milliseconds. */
    private static final Duration UNUSED_KEPT_FOR = Duration.ofHours(6);

    private final Cache<Key, CodeProgram> programs = Caches.counted("code.programs")
            .maximumWeight(CHARACTERS_MAX)
            .weigher(ProgramCache::weight)
            .expireAfterAccess(UNUSED_KEPT_FOR)
            .build();

    record Key(String sourceCode, List<String> dependencies) {}

    Optional<CodeProgram> find(Key key) {
        return Optional.ofNullable(programs.getIfPresent(key));
    }

    void put(Key key, CodeProgram program) {
        programs.put(key, program);
    }

    private static int weight(Key key, CodeProgram program) {
        return key.sourceCode().length() + program.length();
    }
}
