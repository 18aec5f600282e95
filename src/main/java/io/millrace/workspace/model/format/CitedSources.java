package io.millrace.workspace.model.format;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Addresses of the pages that an answer cites, each once, in the order of the answer. */
final class CitedSources {
    private final Set<String> urls = new LinkedHashSet<>();

    void add(String url) {
        if (!url.isEmpty()) {
            urls.add(url);
        }
    }

    List<String> urls() {
        return List.copyOf(urls);
    }
}
