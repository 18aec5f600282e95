package io.millrace.base.core.input;

import java.util.List;
import java.util.function.Function;

/**
 * One page of a list (contract admin-api 1.7).
 *
 * @param data rows of this page, in the list's order
 * @param next cursor of the following page, null on the last one
 * @param previous cursor of the page before, null on the first one
 */
public record Page<T>(List<T> data, String next, String previous) {
    public Page {
        data = List.copyOf(data);
    }

    public static <T> Page<T> whole(List<T> data) {
        return new Page<>(data, null, null);
    }

    public <R> Page<R> map(Function<T, R> convert) {
        return new Page<>(data.stream().map(convert).toList(), next, previous);
    }

    /**
     * Makes a page of rows that a store read with one row more than the limit.
     *
     * @param rows rows in the order that the store read them: the list's order for a forward page, the reverse for a backward
     *     page
     * @param ask requested page
     * @param keyOf key of a row
     */
    public static <T> Page<T> of(List<T> rows, PageRequest ask, Function<T, PageKey> keyOf) {
        var more = rows.size() > ask.limit();
        var kept = more ? rows.subList(0, ask.limit()) : rows;
        var data = ask.backwards() ? kept.reversed() : kept;
        if (data.isEmpty()) {
            return new Page<>(List.of(), null, null);
        }
        var hasNext = ask.backwards() || more;
        var hasPrevious = ask.backwards() ? more : ask.key() != null;
        return new Page<>(
                data,
                hasNext ? PageRequest.cursor(true, keyOf.apply(data.getLast())) : null,
                hasPrevious ? PageRequest.cursor(false, keyOf.apply(data.getFirst())) : null);
    }
}
