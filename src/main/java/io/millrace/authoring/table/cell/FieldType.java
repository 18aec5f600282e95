package io.millrace.authoring.table.cell;

/** Type of a field (contract flows-and-engine 22.1); every value is stored as text. */
public enum FieldType {
    TEXT,
    NUMBER,
    DATE,
    /** Date and time (seed, Versioning). */
    DATETIME,
    STATIC_DROPDOWN;

    /** Returns whether filters compare values as instants; otherwise they compare numbers. */
    public boolean isInstant() {
        return this == DATE || this == DATETIME;
    }
}
