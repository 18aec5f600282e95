package io.millrace.authoring.flow.version;

import java.util.ArrayDeque;

/** Where something stands in a request body. Kept as links, because the path of a long sequence is long itself. */
public record BodyPath(BodyPath parent, String segment) {
    BodyPath inner(String name) {
        return new BodyPath(this, name);
    }

    String text() {
        var segments = new ArrayDeque<String>();
        for (var place = this; place != null; place = place.parent()) {
            segments.addFirst(place.segment());
        }
        return String.join("/", segments);
    }
}
