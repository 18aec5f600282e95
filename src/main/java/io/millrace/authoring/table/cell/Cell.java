package io.millrace.authoring.table.cell;

import java.time.Instant;

/** A value of a record, as it is kept. */
public record Cell(String recordId, String fieldId, String value, Instant created, Instant updated) {}
