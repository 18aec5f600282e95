package io.millrace.authoring.flow.editor;

/** The operations of {@code POST /v1/flows/:id}, under their wire names (contract flows-and-engine 4.1). */
public enum OperationType {
    CHANGE_NAME,
    CHANGE_FOLDER,
    CHANGE_STATUS,
    LOCK_FLOW,
    LOCK_AND_PUBLISH,
    USE_AS_DRAFT,
    IMPORT_FLOW,
    UPDATE_TRIGGER,
    ADD_ACTION,
    UPDATE_ACTION,
    DELETE_ACTION,
    MOVE_ACTION,
    DUPLICATE_ACTION,
    SET_SKIP_ACTION,
    ADD_BRANCH,
    DELETE_BRANCH,
    DUPLICATE_BRANCH,
    MOVE_BRANCH,
    SAVE_SAMPLE_DATA,
    UPDATE_SAMPLE_DATA_INFO,
    UPDATE_METADATA,
    UPDATE_MINUTES_SAVED,
    UPDATE_OWNER,
    ADD_NOTE,
    UPDATE_NOTE,
    DELETE_NOTE
}
