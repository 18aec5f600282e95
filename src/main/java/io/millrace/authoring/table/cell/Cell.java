package io.millrace.authoring.table.cell;

import java.time.Instant;

public record Cell(String recordId, String fieldId, String value, Instant created, Instant updated) {}
