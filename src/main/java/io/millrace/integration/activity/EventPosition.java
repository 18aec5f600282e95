package io.millrace.integration.activity;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Position in the events of a database: everything of earlier transactions, and the events of this one up to a number.
 *
 * @param transaction id of a transaction (xid8)
 * @param id number of an event; 0 before the first
 */
record EventPosition(long transaction, long id) implements Comparable<EventPosition> {
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})-([0-9]{1,18})");

    static EventPosition before(long transaction) {
        return new EventPosition(transaction, 0);
    }

    static Optional<EventPosition> parse(String text) {
        var matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new EventPosition(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))))
                : Optional.empty();
    }

    String text() {
        return transaction + "-" + id;
    }

    boolean isAfter(EventPosition other) {
        return compareTo(other) > 0;
    }

    @Override
    public int compareTo(EventPosition other) {
        var order = Long.compare(transaction, other.transaction);
        return order != 0 ? order : Long.compare(id, other.id);
    }
}
