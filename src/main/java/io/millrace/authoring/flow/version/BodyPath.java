package io.millrace.authoring.flow.version;

import java.util.ArrayDeque;

/** Path of a value in a request body. A linked list, because paths of long sequences are long. */
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
