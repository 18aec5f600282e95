package io.millrace.workspace.project;

/** Color of a project's icon (contract admin-api 3.1). */
public enum IconColor {
    RED,
    BLUE,
    YELLOW,
    PURPLE,
    GREEN,
    PINK,
    VIOLET,
    ORANGE,
    DARK_GREEN,
    CYAN,
    LAVENDER,
    DEEP_ORANGE
}
