package io.millrace.authoring.table.event;

/** Change of a record to which triggers and webhooks can subscribe (contract flows-and-engine 22.6). */
public enum RecordEvent {
    RECORD_CREATED,
    RECORD_UPDATED,
    RECORD_DELETED
}
