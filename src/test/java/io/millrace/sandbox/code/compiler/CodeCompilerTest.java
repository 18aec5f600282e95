package io.millrace.sandbox.code.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.code.pool.CodeBench;
import io.millrace.sandbox.isolation.Isolation;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodeCompilerTest {
    @TempDir
    static Path directory;

    private static Vertx vertx;
    private static CodeCompiler compiler;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        compiler = new CodeCompiler(vertx, directory, isolation());
    }

    private static Isolation isolation() {
        return new Isolation(Isolation.Settings.of(directory.resolve("isolation")));
    }

    @AfterAll
    static void stop() {
        CodeBench.await(compiler.close());
        CodeBench.await(vertx.close());
    }

    @Test
    void stripsTypes() {
        CodeProgram program =
                compile("export const code = async (inputs: { a: number }): Promise<string> => 'x';", "{}");

        assertThat(program.compileError()).isEmpty();
        assertThat(program.form()).isEqualTo(CodeProgram.Form.COMMON_JS);
        assertThat(program.javaScript())
                .contains("const code = async (inputs) =>")
                .doesNotContain("Promise<string>");
    }

    @Test
    void tellsTheErrorAndItsPlace_whenTheSourceDoesNotCompile() {
        CodeProgram program = compile("export const a = 1;\nexport const code = ( => 3", "{}");

        assertThat(program.compileError()).contains("Unexpected \"=>\" (line 2, column 22)");
        assertThat(program.javaScript()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "const v = await f();\nexport const code = async () => v;",
                "for await (const v of f()) {}\nexport const code = () => 1;",
                "export const code = () => { await f(); };",
                "import fs from 'node:fs';\nconst v = await fs.promises.readFile('a');\nexport const code = () => v;"
            })
    void tellsAwaitOutsideOfAnAsyncFunction_beforeTheRun(String source) {
        for (var program : List.of(compile(source, "{}"), CodeBench.await(compiler.forNode(source)))) {
            assertThat(program.compileError())
                    .get(STRING)
                    .containsIgnoringCase("await")
                    .contains("(line ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "export const code = () => fetch('x');",
                "import { createHash } from 'crypto'; export const code = () => createHash('md5');",
                "export const code = () => require('fs');",
                "export const code = async () => (await import('fs')).read;",
                "export const code = () => Buffer.from('a');",
                "export const code = () => globalThis.process.pid;",
                "export const code = () => new AbortController();",
            })
    void needsNode_whenTheSourceUsesWhatOnlyNodeHas(String source) {
        assertThat(CodeBench.await(compiler.needsNode(source))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "export const code = async (inputs) => inputs.a + 1;",
                "// fetch and Buffer\nexport const code = () => 'process';",
                "export const code = (process: string) => { const fetch = (a: string) => a; return fetch(process); };",
                "export const code = (inputs) => inputs.crypto.fetch({ Buffer: 1 });",
                "export const code = () => new URL('https://a.example').host + atob('YQ==');",
                "export const code = ( => 3",
            })
    void needsNoNode_whenAWorkerHasItAll(String source) {
        assertThat(CodeBench.await(compiler.needsNode(source))).isFalse();
    }

    @Test
    void answersTheSameProgram_whenTheSourceIsKnown() {
        CodeProgram first = compile("export const code = () => 4711;", "{}");

        assertThat(compile("export const code = () => 4711;", "{}")).isSameAs(first);
    }

    @Test
    void listsNpmDependencies() {
        CodeProgram program = compile(
                "export const code = () => 1;", "{\"dependencies\":{\"lodash\":\"^4.17.0\",\"zod\":\"3.0.0\"}}");

        assertThat(program.npmDependencies()).containsExactly("lodash@^4.17.0", "zod@3.0.0");
        assertThat(program.compileError()).isEmpty();
    }

    @Test
    void hasNoDependencies_whenTheManifestIsMissingOrEmpty() {
        assertThat(compile("export const code = () => 1;", null).npmDependencies())
                .isEmpty();
        assertThat(compile("export const code = () => 1;", "").npmDependencies())
                .isEmpty();
        assertThat(compile("export const code = () => 1;", "{\"dependencies\":{}}")
                        .npmDependencies())
                .isEmpty();
    }

    @Test
    void isBroken_whenTheManifestIsNotJson() {
        assertThat(compile("export const code = () => 1;", "{").compileError())
                .contains("packageJson is not valid JSON");
    }

    @Test
    void isBroken_whenTheSourceIsTooLong() {
        assertThat(compile("a".repeat(CodeCompiler.SOURCE_CHARACTERS_MAX + 1), "{}")
                        .compileError())
                .hasValueSatisfying(error -> assertThat(error).contains("longer than"));
    }

    @Test
    void isBrokenSoon_whenTheSourceIsABombForTheTranspiler() {
        assertThat(compile("if(1)".repeat(80_000) + ";", "{}").compileError())
                .contains("the source is too complex to be compiled");
    }

    @Test
    void unpacksTheTranspilerOnce_andReplacesADamagedOne() throws Exception {
        compile("export const code = () => 1;", "{}");
        Path binary;
        try (Stream<Path> files = Files.list(directory)) {
            binary = files.filter(file -> file.getFileName().toString().startsWith("esbuild-"))
                    .findFirst()
                    .orElseThrow();
        }
        Path other = Files.createDirectory(directory.resolve("other"));
        Files.write(other.resolve(binary.getFileName()), new byte[] {1, 2, 3});

        Path unpacked = EsbuildBinary.unpack(other).orElseThrow();

        assertThat(unpacked).isEqualTo(other.resolve(binary.getFileName())).hasSameBinaryContentAs(binary);
        assertThat(Files.isExecutable(unpacked)).isTrue();
        try (Stream<Path> files = Files.list(other)) {
            assertThat(files).containsExactly(unpacked);
        }
    }

    @Test
    void stillReadsPlainJavaScript_whenTheTranspilerCannotRun() throws Exception {
        Path sealed = Files.createDirectory(directory.resolve("sealed"));
        Path real = EsbuildBinary.unpack(sealed).orElseThrow();
        byte[] notAnExecutable = new byte[(int) Files.size(real)];
        Files.write(real, notAnExecutable);
        CodeCompiler crippled = new CodeCompiler(vertx, sealed, isolation());

        CodeProgram module = CodeBench.await(crippled.compile("export const code = () => 7;", "{}"));
        CodeProgram script = CodeBench.await(crippled.compile("exports.code = () => 7;", "{}"));

        assertThat(module.form()).isEqualTo(CodeProgram.Form.MODULE);
        assertThat(script.form()).isEqualTo(CodeProgram.Form.COMMON_JS);
        assertThat(script.javaScript()).isEqualTo("exports.code = () => 7;");
        CodeBench.await(crippled.close());
    }

    private static CodeProgram compile(String source, String packageJson) {
        return CodeBench.await(compiler.compile(source, packageJson));
    }
}
