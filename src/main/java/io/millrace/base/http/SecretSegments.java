package io.millrace.base.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Segments of paths that routes declare secret, because the segment alone authorizes a request. Logs mask them, also in paths
 * that no route has answered.
 */
public final class SecretSegments {
    private static final String MASK = "***";

    private final List<MaskedPath> paths = new ArrayList<>();

    /**
     * Path of a route up to its secret segment.
     *
     * @param parts segments; those that begin with a colon are parameters, and the last one is the secret
     */
    private record MaskedPath(List<String> parts) {
        static MaskedPath of(String path, String parameter) {
            var parts = Arrays.asList(path.split("/", -1));
            var place = parts.indexOf(':' + parameter);
            if (place < 0) {
                throw new IllegalArgumentException("expected a path with :" + parameter + ", found " + path);
            }
            return new MaskedPath(List.copyOf(parts.subList(0, place + 1)));
        }

        boolean matches(String[] path) {
            if (path.length < parts.size()) {
                return false;
            }
            for (var place = 0; place < parts.size(); place++) {
                var part = parts.get(place);
                if (!part.startsWith(":") && !part.equals(path[place])) {
                    return false;
                }
            }
            return true;
        }
    }

    void add(String path, String parameter) {
        paths.add(MaskedPath.of(path, parameter));
    }

    /**
     * The path with every secret segment replaced by {@code ***}. A path with percent encoding, empty segments or dots that
     * contains a secret is replaced by the path of its route, because its decoded form may contain line breaks.
     */
    public String masked(String path) {
        if (path == null) {
            return null;
        }
        var isPlain = RouteTable.isPlain(path);
        var parts = (isPlain ? path : RouteTable.plain(path)).split("/", -1);
        var masked = path;
        for (var masking : paths) {
            if (masking.matches(parts)) {
                if (!isPlain) {
                    return String.join("/", masking.parts());
                }
                parts[masking.parts().size() - 1] = MASK;
                masked = String.join("/", parts);
            }
        }
        return masked;
    }
}
