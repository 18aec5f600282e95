package io.millrace.authoring.table.cell;

import java.time.Instant;

/** A stored value of a record. */
public record Cell(String recordId, String fieldId, String value, Instant created, Instant updated) {}
