package io.millrace.app.cli.remote;

enum ImportAction {
    CREATE,
    KEEP,
    CONFLICT
}
