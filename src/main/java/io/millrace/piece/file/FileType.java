package io.millrace.piece.file;

/** Purpose of a file (contract flows-and-engine 20.2). A module adds the type it needs, with its migration. */
public enum FileType {
    /** Written by an action, or sent to a trigger. Expires with the data of runs. */
    FLOW_STEP_FILE,
    /** Log written by code of a piece; the server's own logs are not stored as files. Expires with the data of runs. */
    FLOW_RUN_LOG,
    /** An output that is too large for the log of its run: JSON text, compressed. Expires with the data of runs. */
    FLOW_RUN_LOG_SLICE,
    /** A trigger's payload, kept as a sample for editors. Expires with the data of runs. */
    TRIGGER_EVENT_FILE,
    /** Output of a step test. Kept as long as its flow. */
    SAMPLE_DATA,
    /** Input of a step test. Kept as long as its flow. */
    SAMPLE_DATA_INPUT,
    /** A flow version before its migration to a newer schema. Kept as long as its flow. */
    FLOW_VERSION_BACKUP,
    /** Snapshot of a project at a release: JSON text, compressed. Kept as long as the project. */
    PROJECT_RELEASE,
    /** A document of a knowledge base. Kept until it is removed from there. */
    KNOWLEDGE_BASE
}
