package io.millrace.sandbox.program;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.code.NativePackages;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

final class CodeProgramStore {
    /** Columns without the lock, which no run needs, and without files, which are needed once. */
    private static final String FIND = """
            select form, java_script, compile_error, dependencies, install_ms, native_packages
              from code_program
             where platform_id = $1 and hash = $2
            """;

    private static final RowMapper<ProgramRow> PROGRAMS = RowMapper.of(ProgramRow.class, FIND);

    private static final String OF_WORKERS = """
            select form, java_script from code_program
             where form in ('COMMON_JS', 'MODULE') and compile_error is null
             order by created desc
             limit $1
            """;

    private static final RowMapper<CodeProgram> PROGRAMS_OF_WORKERS = RowMapper.of(WorkerRow.class, OF_WORKERS)
            .as(row -> program(row.form(), row.javaScript(), Optional.empty(), List.of()));

    private record WorkerRow(CodeProgram.Form form, String javaScript) {}

    private record ProgramRow(
            CodeProgram.Form form,
            String javaScript,
            Optional<String> compileError,
            ArrayNode dependencies,
            long installMs,
            Optional<ArrayNode> nativePackages) {
        StoredProgram stored(ProgramKey key) {
            var program = program(form, javaScript, compileError, texts(dependencies));
            var installed = nativePackages
                    .map(names -> new NativePackages(key.platformId(), key.hash(), texts(names)))
                    .map(program::beside)
                    .orElse(program);
            return new StoredProgram(installed, Optional.empty(), installMs, Optional.empty());
        }
    }

    /** A program of a worker is stored with its source map at its end. */
    private static CodeProgram program(
            CodeProgram.Form form, String text, Optional<String> compileError, List<String> dependencies) {
        return form == CodeProgram.Form.COMMON_JS && compileError.isEmpty()
                ? CodeProgram.compiled(text, dependencies)
                : new CodeProgram(form, text, compileError, dependencies);
    }

    /** Inserts a program; true if there was none. The first one stays, because its lock decides which packages a source has. */
    Future<Boolean> insert(Tx tx, ProgramKey key, StoredProgram stored, Instant now) {
        var program = stored.program();
        var dependencies = Json.mapper().createArrayNode();
        program.npmDependencies().forEach(dependencies::add);
        var nativeNames = program.nativePackages().map(CodeProgramStore::names);
        return tx.query(
                        """
                        insert into code_program (platform_id, hash, created, form, java_script, compile_error,
                          dependencies, lock, install_ms, native_packages, native_files)
                        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
                        on conflict (platform_id, hash) do nothing
                        """,
                        key.platformId(),
                        key.hash(),
                        now,
                        program.form(),
                        program.text(),
                        program.compileError(),
                        Json.text(dependencies),
                        stored.lock(),
                        stored.installMs(),
                        nativeNames,
                        stored.nativeFiles())
                .map(rows -> rows.rowCount() == 1);
    }

    private static String names(NativePackages packages) {
        var names = Json.mapper().createArrayNode();
        packages.names().forEach(names::add);
        return Json.text(names);
    }

    Future<Optional<StoredProgram>> find(Tx tx, ProgramKey key) {
        return tx.query(FIND, key.platformId(), key.hash())
                .map(rows -> PROGRAMS.first(rows).map(row -> row.stored(key)));
    }

    Future<Optional<Buffer>> nativeFiles(Tx tx, ProgramKey key) {
        return tx.query("""
                        select native_files from code_program
                         where platform_id = $1 and hash = $2
                        """, key.platformId(), key.hash())
                .map(rows -> Rows.first(rows, row -> Rows.optionalBuffer(row, "native_files"))
                        .flatMap(Function.identity()));
    }

    Future<List<CodeProgram>> ofWorkers(Tx tx, int count) {
        return tx.query(OF_WORKERS, count).map(PROGRAMS_OF_WORKERS::all);
    }

    private static List<String> texts(ArrayNode array) {
        return array.valueStream().map(JsonNode::asText).toList();
    }
}
