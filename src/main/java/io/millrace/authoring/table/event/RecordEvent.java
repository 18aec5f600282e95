package io.millrace.authoring.table.event;

/** What happens to a record, and can be listened to (contract flows-and-engine 22.6). */
public enum RecordEvent {
    RECORD_CREATED,
    RECORD_UPDATED,
    RECORD_DELETED
}
