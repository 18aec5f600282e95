package io.millrace.app.cli.remote;

/** What becomes of a template or an agent of an export. */
enum ImportAction {
    CREATE,
    KEEP,
    CONFLICT
}
