package io.millrace.account.sealing;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.regex.Pattern;

/** A column of sealed values. Names are read from the database's catalogue and inserted into statements unquoted. */
record SealedColumn(String table, String column) {
    private static final Pattern NAME = Pattern.compile("[a-z_]{1,63}");

    SealedColumn {
        if (!NAME.matcher(table).matches() || !NAME.matcher(column).matches()) {
            throw new IllegalArgumentException("expected SQL identifiers, found " + table + "." + column);
        }
    }

    /**
     * Number of uses of a key in a column.
     *
     * @param keyId {@code none} where a value has another format
     * @param examples ids of some of the rows
     */
    record KeyUse(SealedColumn column, String keyId, long count, List<String> examples) {
        @Override
        public String toString() {
            return count + " of " + column.table() + " (" + String.join(", ", examples)
                    + (count > examples.size() ? ", …)" : ")");
        }
    }

    record SealedCell(String place, Buffer sealed) {}
}
