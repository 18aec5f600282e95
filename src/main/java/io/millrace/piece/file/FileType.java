package io.millrace.piece.file;

/** Purpose of a file (contract flows-and-engine 20.2). A module adds the type it needs, with its migration. */
public enum FileType {
    /** Written by an action, or sent to a trigger. Expires with the data of runs. */
    FLOW_STEP_FILE,
    /** A log that code of a piece keeps; the server's own logs are no files. Expires with the data of runs. */
    FLOW_RUN_LOG,
    /** An output that is too large for the log of its run: JSON text, compressed. Expires with the data of runs. */
    FLOW_RUN_LOG_SLICE,
    /** A trigger's payload, kept as a sample for editors. Expires with the data of runs. */
    TRIGGER_EVENT_FILE,
    /** Output of a step test. Kept as long as its flow. */
    SAMPLE_DATA,
    /** Input of a step test. Kept as long as its flow. */
    SAMPLE_DATA_INPUT,
    /** A flow version as it was before it was brought to a newer schema. Stays as long as its flow. */
    FLOW_VERSION_BACKUP,
    /** A project as a release left it: JSON text, compressed. Stays as long as the project. */
    PROJECT_RELEASE,
    /** A document that agents look into. Stays until it is taken out of the knowledge base. */
    KNOWLEDGE_BASE
}
