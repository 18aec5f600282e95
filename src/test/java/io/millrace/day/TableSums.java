package io.millrace.day;

import io.millrace.support.DataDirectory;

/** Checksums of the rows of a table in a running database. */
final class TableSums {
    private TableSums() {}

    /** The current columns of a table; a later release may add some. */
    static String columns(DataDirectory directory, String table) {
        return directory.ask("select string_agg(quote_ident(column_name), ', ' order by ordinal_position)"
                + " from information_schema.columns where table_schema = current_schema() and table_name = '" + table
                + "'");
    }

    static String of(DataDirectory directory, String table, String columns) {
        return directory.ask("select count(*) || ' rows, ' || md5(coalesce(string_agg(md5(row(" + columns
                + ")::text), '' order by id), '')) from " + table);
    }
}
