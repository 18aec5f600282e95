package io.millrace.authoring.table;

import java.time.Instant;

/** A value of a record, as it is kept. */
record Cell(String recordId, String fieldId, String value, Instant created, Instant updated) {}
