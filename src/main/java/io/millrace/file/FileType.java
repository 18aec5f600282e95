package io.millrace.file;

/** What a file is kept for (contract flows-and-engine 20.2). A room adds the type it needs, with its migration. */
public enum FileType {
    /** Written by an action, or sent to a trigger. Expires with the data of runs. */
    FLOW_STEP_FILE
}
