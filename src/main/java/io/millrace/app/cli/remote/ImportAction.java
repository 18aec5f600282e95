package io.millrace.app.cli.remote;

/** Action for a template or an agent of an export. */
enum ImportAction {
    CREATE,
    KEEP,
    CONFLICT
}
