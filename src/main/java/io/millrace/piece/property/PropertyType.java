package io.millrace.piece.property;

/** Property types of the piece framework (contract flows-and-engine 19.5). */
public enum PropertyType {
    SHORT_TEXT,
    LONG_TEXT,
    MARKDOWN,
    DROPDOWN,
    STATIC_DROPDOWN,
    NUMBER,
    CHECKBOX,
    OAUTH2,
    SECRET_TEXT,
    ARRAY,
    OBJECT,
    BASIC_AUTH,
    JSON,
    MULTI_SELECT_DROPDOWN,
    STATIC_MULTI_SELECT_DROPDOWN,
    DYNAMIC,
    CUSTOM_AUTH,
    DATE_TIME,
    FILE,
    CUSTOM,
    COLOR,
    OIDC
}
