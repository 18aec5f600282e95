package io.millrace.app.cli;

import io.millrace.app.Server;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.migration.Migrations;
import io.millrace.base.persistence.postgres.PostgresRelease;

final class VersionCommand implements Subcommand {
    @Override
    public String name() {
        return "version";
    }

    @Override
    public String summary() {
        return "prints the releases of the server, its schema, its embedded PostgreSQL and Java";
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        var json = Json.object()
                .put("version", Server.VERSION)
                .put("schema", Migrations.newest())
                .put("embeddedPostgres", PostgresRelease.embedded())
                .put("java", Runtime.version().toString());
        if (words.isJson()) {
            terminal.out().println(json);
        } else {
            terminal.out().println("Millrace " + Server.VERSION);
            terminal.out().println("schema " + json.get("schema").textValue());
            terminal.out()
                    .println("embedded PostgreSQL "
                            + json.get("embeddedPostgres").textValue());
            terminal.out().println("Java " + json.get("java").textValue());
        }
        return ExitStatus.OK;
    }
}
