package io.millrace.authoring.table.cell;

/** What a field is for (contract flows-and-engine 22.1); every value is kept as a text. */
public enum FieldType {
    TEXT,
    NUMBER,
    DATE,
    /** Date and time (seed, Versioning). */
    DATETIME,
    STATIC_DROPDOWN;

    /** Whether filters compare values as instants; otherwise they do as numbers. */
    public boolean isInstant() {
        return this == DATE || this == DATETIME;
    }
}
