package io.millrace.sandbox.program;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Rows;
import io.millrace.base.persistence.Tx;
import io.millrace.sandbox.code.CodeProgram;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import java.time.Instant;
import java.util.Optional;

/** Statements of programs. */
final class CodeProgramStore {
    /** The first one stays: its lock says which packages a source has. */
    Future<Void> insert(Tx tx, ProgramKey key, StoredProgram stored, Instant now) {
        var program = stored.program();
        var dependencies = Json.mapper().createArrayNode();
        program.npmDependencies().forEach(dependencies::add);
        return tx.query(
                        """
                        insert into code_program (platform_id, hash, created, form, java_script, compile_error,
                          dependencies, lock, install_ms)
                        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
                        on conflict (platform_id, hash) do nothing
                        """,
                        key.platformId(),
                        key.hash(),
                        now,
                        program.form(),
                        program.javaScript(),
                        program.compileError(),
                        Json.text(dependencies),
                        stored.lock(),
                        stored.installMs())
                .mapEmpty();
    }

    Future<Optional<StoredProgram>> find(Tx tx, ProgramKey key) {
        return tx.query("""
                        select form, java_script, compile_error, dependencies, install_ms from code_program
                         where platform_id = $1 and hash = $2
                        """, key.platformId(), key.hash()).map(rows -> Rows.first(rows, CodeProgramStore::stored));
    }

    Future<Boolean> anyOfWorkers(Tx tx) {
        return tx.query("""
                        select exists (select from code_program
                          where form in ('COMMON_JS', 'MODULE') and compile_error is null) as found
                        """).map(rows -> Rows.flag(rows.iterator().next(), "found"));
    }

    /** Without the lock, which nothing that runs needs. */
    private static StoredProgram stored(Row row) {
        return new StoredProgram(program(row), Optional.empty(), row.getLong("install_ms"));
    }

    private static CodeProgram program(Row row) {
        return new CodeProgram(
                Rows.option(row, "form", CodeProgram.Form.class),
                Rows.text(row, "java_script"),
                Rows.optionalText(row, "compile_error"),
                Json.trusted(Rows.text(row, "dependencies"))
                        .valueStream()
                        .map(JsonNode::asText)
                        .toList());
    }
}
