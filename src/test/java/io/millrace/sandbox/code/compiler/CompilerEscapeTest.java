package io.millrace.sandbox.code.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.hostile.HostileKind;
import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.code.pool.CodeBench;
import io.millrace.sandbox.isolation.Isolation;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources and packages that try to make the compiler read files of the host or reveal their existence. */
@HostileKind("compiler")
class CompilerEscapeTest {
    private static final String SECRET = "sesame4711";
    private static final String PRESENT = "present";
    private static final String ABSENT = "missing";

    @TempDir
    private static Path root;

    private static Vertx vertx;
    private static CodeCompiler compiler;
    private static Path packages;

    @BeforeAll
    static void start() throws IOException {
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
        var isolation = new Isolation(Isolation.Settings.of(root.resolve("isolation")));
        assumeTrue(isolation.inForce().landlockLevel() > 0, isolation.inForce().description());
        vertx = Vertx.vertx();
        compiler = new CodeCompiler(vertx, root.resolve("compiler"), isolation);
        packages = root.resolve("packages");
        var host = Files.createDirectories(root.resolve("host"));
        for (var file : Map.of(
                        "present.json", "{\"key\":\"" + SECRET + "\"}",
                        "present.js", "module.exports = '" + SECRET + "';",
                        "present.ts", "export default '" + SECRET + "';",
                        "present.css", "." + SECRET + " { color: red }",
                        "present.txt", SECRET,
                        "present", SECRET + "=1",
                        "present.env", SECRET + "=abc",
                        "present.map",
                                "{\"version\":3,\"sources\":[\"" + SECRET + "\"],\"names\":[],\"mappings\":\"AAAA\"}")
                .entrySet()) {
            Files.writeString(host.resolve(file.getKey()), file.getValue());
        }
        Files.createDirectories(host.resolve("node_modules/outer"));
        Files.writeString(host.resolve("node_modules/outer/index.js"), "module.exports = '" + SECRET + "';");
        // Folders where the resolver looks for packages on its way to the root.
        Files.createDirectories(root.resolve("node_modules/outer"));
        Files.writeString(root.resolve("node_modules/outer/index.js"), "module.exports = '" + SECRET + "';");
        Files.writeString(
                root.resolve("tsconfig.json"), "{\"compilerOptions\":{\"paths\":{\"*\":[\"" + host + "/*\"]}}}");
    }

    @AfterAll
    static void stop() {
        if (compiler != null) {
            CodeBench.await(compiler.close());
            CodeBench.await(vertx.close());
        }
    }

    /** All forms of imports; @ is the path. */
    private static final List<String> FORMS = List.of(
            "import x from '@'; export const code = () => x;",
            "import * as x from '@'; export const code = () => x;",
            "import '@'; export const code = () => 1;",
            "export * from '@'; export const code = () => 1;",
            "export { key } from '@'; export const code = () => 1;",
            "import x = require('@'); export const code = () => x;",
            "import x from '@' with { type: 'json' }; export const code = () => x;",
            "export const code = () => require('@');",
            "export const code = async () => import('@');",
            "export const code = async () => import('@', { with: { type: 'json' } });",
            "export const code = () => require.resolve('@');",
            "export const code = () => { try { return require('@') } catch { return 1 } };",
            "export const code = () => require(`@`);");

    private static final List<String> PATHS = List.of(
            "$HOST/present.json",
            "$HOST/present",
            "$HOST/missing.json",
            "$HOST",
            "../host/present.json",
            "../host/present",
            "./../host/present.json",
            "./node_modules/../../host/present.json",
            ".",
            "..",
            "./",
            "/",
            "/etc/passwd",
            "/proc/self/environ",
            "/proc/1/comm",
            "file://$HOST/present.json",
            "data:application/json,{}",
            "data:text/javascript,export default 1",
            "http://127.0.0.1/x.js",
            "https://example.com/x.js",
            "honest/../../../host/present.json",
            "honest/./../x.js",
            "node:../../host/present.json",
            "@/../host/present",
            "#inner",
            "outer",
            "C:\\\\present.json",
            "..\\\\host\\\\present.json",
            "");

    static Stream<String> sources() {
        return Stream.concat(
                FORMS.stream().map(form -> form.replace("@", "../host/present.json")),
                PATHS.stream().map(path -> FORMS.get(7).replace("@", path)));
    }

    @ParameterizedTest
    @MethodSource("sources")
    void refusesASource_thatImportsAFile_orAnAddress(String form) throws IOException {
        // Given
        install("honest", "index.js", "module.exports = 1;");
        var source = form.replace("$HOST", root.resolve("host").toString());

        // When
        var bundled = bundle(source, "honest");
        var plain = CodeBench.await(compiler.forNode(source));

        // Then
        for (var program : List.of(bundled, plain)) {
            assertThat(program.compileError())
                    .as(source)
                    .hasValueSatisfying(
                            error -> assertThat(error).startsWith("import \"").contains("is refused: ", "packageJson"));
            assertThat(program.toString()).doesNotContain(SECRET);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "export const code = (i: any) => require('../host/' + i.n + '.json');",
                "export const code = (i: any) => require(`../host/${i.n}`);",
                "export const code = async (i: any) => import('../../' + i.n + '.json');",
                "export const code = async (i: any) => import(`./${i.n}/x.js`);",
                "export const code = (i: any) => require('./' + i.n);",
                "export const code = (i: any) => [require('../' + i.n), require('../missing/' + i.n), require('/x')];",
                "export const code = (i: any) => [require('../missing/' + i.n), require('../' + i.n), require('/x')];",
                "export const code = (i: any) => [require('/x'), require('../' + i.n)];",
                "export const code = (i: any) => require.resolve ? require('../../../' + i.a + '/' + i.b + '.ts') : 1;",
            })
    void refusesAPath_thatIsPutTogetherWhenTheCodeRuns(String source) throws IOException {
        install("honest", "index.js", "module.exports = 1;");

        for (var program : List.of(bundle(source, "honest"), CodeBench.await(compiler.forNode(source)))) {
            assertThat(program.compileError())
                    .contains("an import with a computed path is refused: expected the name of a"
                            + " module of Node.js or of a package of packageJson as plain text");
            assertThat(program.toString()).doesNotContain(SECRET);
        }
    }

    /** Text that only resembles an import, and dynamic imports left to Node.js, whose permissions refuse the file. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "// import '../host/present.json'\nexport const code = () => 1;",
                "/// <reference path='../host/present.ts' />\nexport const code = () => 1;",
                "/// <reference types='../host/present' />\nexport const code = () => 1;",
                "import type { A } from '../host/present'; export const code = (a: A) => 1;",
                "export const code = () => \"require('../host/present.json')\";",
                "export const code = () => new URL('../host/present.txt', 'file:///');",
                "const path = '../host/present.json'; export const code = () => require(path);",
                "const path = '../host/present.json'; export const code = async () => import(path);",
                "const path = '../host/present.json'; export const code = async () => import(path, { with: { type: 'json' } });",
                "export const code = () => module.require('../host/present.json');",
                "export const code = () => 1;\n//# sourceMappingURL=../host/present.map",
                "export const code = () => 1;\n//# sourceMappingURL=$HOST/present.map",
                "export const code = () => 1;\n//# sourceMappingURL=file://$HOST/present.map",
                "/* @import '../host/present.css' */ export const code = () => 1;",
            })
    void readsNoFile_forASourceThatCompiles(String form) throws IOException {
        install("honest", "index.js", "module.exports = 1;");
        var source = form.replace("$HOST", root.resolve("host").toString());

        for (var program : List.of(bundle(source, "honest"), CodeBench.await(compiler.forNode(source)))) {
            assertThat(program.compileError()).as(source).isEmpty();
            assertThat(program.javaScript() + sourceMap(program)).doesNotContain(SECRET);
        }
    }

    /** Files of a hostile package; @ is a file of the host without its suffix, which exists or not. */
    static Stream<Map<String, String>> hostilePackages() {
        var entry = "index.js";
        return Stream.of(
                Map.of(entry, "module.exports = require('../../../host/@.json');"),
                Map.of(entry, "module.exports = require('../../../host/@');"),
                Map.of(entry, "module.exports = require('../../../host/@.js');"),
                Map.of(entry, "module.exports = require('$HOST/@.json');"),
                Map.of(entry, "module.exports = require('$HOST/@');"),
                Map.of(entry, "module.exports = require('$HOST/@.txt');"),
                Map.of(entry, "module.exports = require('file://$HOST/@.json');"),
                Map.of(entry, "export { default } from '../../../host/@.json';"),
                Map.of(entry, "export * from '$HOST/@.js';"),
                Map.of(entry, "export default await import('$HOST/@.js');"),
                Map.of(entry, "module.exports = (n) => require('../../../host/' + n + '.json');"),
                Map.of(entry, "module.exports = (n) => require('../../../' + n);"),
                Map.of(entry, "module.exports = (n) => import(`../../../host/${n}.js`);"),
                Map.of(entry, "try { module.exports = require('$HOST/@.js') } catch { module.exports = 1 }"),
                Map.of(entry, "module.exports = require.resolve('$HOST/@.js');"),
                Map.of(entry, "import text from '../../../host/@.txt' with { type: 'text' }; export default text;"),
                Map.of(entry, "import './style.css';", "style.css", "@import '../../../host/@.css';"),
                Map.of(entry, "import './style.css';", "style.css", "@import url($HOST/@.css);"),
                Map.of(entry, "import './style.css';", "style.css", "a { background: url(../../../host/@.txt) }"),
                Map.of(entry, "module.exports = 1;\n//# sourceMappingURL=../../../host/@.map"),
                Map.of(entry, "module.exports = 1;\n//# sourceMappingURL=$HOST/@.map"),
                Map.of(entry, "module.exports = 1;\n//# sourceMappingURL=file://$HOST/@.map"),
                Map.of("package.json", "{\"main\":\"../../../host/@.js\"}"),
                Map.of("package.json", "{\"main\":\"$HOST/@.js\"}"),
                Map.of("package.json", "{\"exports\":\"../../../host/@.js\"}"),
                Map.of("package.json", "{\"exports\":\"./../../../host/@.js\"}"),
                Map.of("package.json", "{\"exports\":{\".\":\"$HOST/@.js\"}}"),
                Map.of("package.json", "{\"exports\":{\".\":{\"require\":\"./x/../../../../host/@.js\"}}}"),
                Map.of(
                        "package.json",
                        "{\"imports\":{\"#a\":\"../../../host/@.js\"}}",
                        entry,
                        "module.exports = require('#a');"),
                Map.of(
                        "package.json",
                        "{\"imports\":{\"#a\":\"$HOST/@.js\"}}",
                        entry,
                        "module.exports = require('#a');"),
                Map.of(
                        "package.json",
                        "{\"browser\":{\"./a.js\":\"../../../host/@.js\"}}",
                        entry,
                        "module.exports = require('./a.js');"),
                Map.of("package.json", "{\"module\":\"../../../host/@.js\",\"main\":\"../../../host/@.js\"}"),
                Map.of(
                        "tsconfig.json",
                        "{\"compilerOptions\":{\"paths\":{\"a\":[\"../../../host/@\"]}}}",
                        "index.ts",
                        "export { default } from 'a';"),
                Map.of(
                        "tsconfig.json",
                        "{\"extends\":\"../../../host/@.json\"}",
                        entry,
                        "module.exports = require('../../../host/@.json');"),
                Map.of(
                        "tsconfig.json",
                        "{\"extends\":[\"$HOST/@.json\",\"../../../host/@\"],\"compilerOptions\":{\"baseUrl\":\"../../../host\"}}",
                        "index.ts",
                        "export { default } from '@';"),
                Map.of(
                        "package.json",
                        "{\"main\":\"index.tsx\",\"tsconfig\":\"../../../host/@.json\"}",
                        "tsconfig.json",
                        "{\"compilerOptions\":{\"jsx\":\"react-jsx\",\"jsxImportSource\":\"../../../host/@\"}}",
                        "index.tsx",
                        "export default <a/>;"),
                Map.of(
                        "package.json",
                        "{\"main\":\"index.tsx\"}",
                        "index.tsx",
                        "/** @jsxRuntime automatic @jsxImportSource $HOST/@ */ export default <a/>;"),
                Map.of(
                        "package.json",
                        "{\"main\":\"index.jsx\"}",
                        "index.jsx",
                        "/** @jsxImportSource ../../../host/@ */ export default <a/>;"),
                Map.of(
                        "package.json",
                        "{\"exports\":{\".\":[\"../../../host/@.js\",\"./../../../host/@.js\",\"$HOST/@.js\"]}}"),
                Map.of(
                        "package.json",
                        "{\"name\":\"evil\",\"exports\":{\".\":\"./index.js\",\"./*\":\"./../../../host/*\"}}",
                        entry,
                        "module.exports = require('evil/@.js');"),
                Map.of(
                        "package.json",
                        "{\"imports\":{\"#a/*\":\"./x/../../../../host/*\"}}",
                        entry,
                        "module.exports = require('#a/@.js');"),
                Map.of(
                        "package.json",
                        "{\"imports\":{\"#a\":{\"node\":\"file://$HOST/@.js\",\"default\":\"data:text/javascript,1\"}}}",
                        entry,
                        "module.exports = require('#a');"),
                Map.of(
                        "package.json",
                        "{\"browser\":{\"./a.js\":\"$HOST/@.js\",\"fs\":\"../../../host/@.js\"}}",
                        entry,
                        "module.exports = [require('./a.js'), require('fs')];"),
                Map.of(
                        "package.json",
                        "{\"main\":\"./index.js\",\"sideEffects\":[\"../../../host/@*\"],\"typesVersions\":{\"*\":{\"*\":[\"../../../host/@\"]}}}",
                        entry,
                        "module.exports = require('../../../host/@');"),
                Map.of(entry, "import text from '../../../host/@.txt' with { type: 'bytes' }; export default text;"),
                Map.of(entry, "import x from '../../../host/@.json' assert { type: 'json' }; export default x;"),
                Map.of(entry, "import defer * as x from '../../../host/@.js'; export default x;"),
                Map.of(entry, "import source x from '../../../host/@.js'; export default x;"),
                Map.of(entry, "import x from 'data:text/javascript,export * from \"$HOST/@.js\"'; export default x;"),
                Map.of(entry, "import x from 'data:text/css,@import url(../../../host/@.css)'; export default x;"),
                Map.of(entry, "module.exports = require('../../../host/@.js?a#b');"),
                Map.of(entry, "module.exports = require('./%2e%2e/%2e%2e/%2e%2e/host/@.js');"),
                Map.of(entry, "module.exports = require('.//..//..//..//host//@.js');"),
                Map.of(entry, "module.exports = require('evil/../../../host/@.js');"),
                Map.of(
                        "package.json",
                        "{\"main\":\"./index.css\"}",
                        "index.css",
                        "@import '$HOST/@.css'; a { background: url('file://$HOST/@.txt') }"),
                Map.of(
                        entry,
                        "module.exports = 1;\n//# sourceMappingURL=data:application/json,{\"version\":3,\"sources\":[\"$HOST/present.txt\"],\"mappings\":\"AAAA\"}"),
                Map.of(entry, "module.exports = require('outer');"),
                Map.of(entry, "module.exports = require('../../../host/node_modules/outer');"),
                Map.of(entry, "module.exports = require('/proc/self/environ');"),
                Map.of(entry, "module.exports = require('/etc/hostname');"),
                Map.of(entry, "module.exports = require('/proc/1/comm');"),
                Map.of(
                        entry,
                        "module.exports = require('data:application/json,{}') && require('../../../host/@.json');"),
                Map.of(entry, "module.exports = new Worker(new URL('../../../host/@.js', import.meta.url));"));
    }

    @ParameterizedTest
    @MethodSource("hostilePackages")
    void tellsNothingOfTheHost_toAHostilePackage(Map<String, String> files) throws IOException {
        var present = bundledWith(files, PRESENT);
        var absent = bundledWith(files, ABSENT);

        for (var program : List.of(present, absent)) {
            assertThat(program.javaScript() + sourceMap(program)).doesNotContain(SECRET, "TERM=", "PATH=");
            assertThat(program.compileError().orElse("")).doesNotContain(SECRET, root.toString(), "permission", "..");
        }
        assertThat(present.compileError().map(error -> error.replace(PRESENT, ABSENT)))
                .isEqualTo(absent.compileError());
        assertThat(present.javaScript().replace(PRESENT, ABSENT)).isEqualToIgnoringWhitespace(absent.javaScript());
    }

    /** Unpacking rejects links; here they exist, as if that check had failed. */
    @ParameterizedTest
    @ValueSource(strings = {"present.js", "present.json", "present.txt", "", "node_modules/outer"})
    void readsNothingThroughALink(String target) throws IOException {
        clear();
        install("evil", "package.json", "{\"main\":\"index.js\"}");
        install("evil", "index.js", "module.exports = [require('./link'), require('./link/present.js')];");
        var evil = packages.resolve("node_modules/evil");
        Files.createSymbolicLink(evil.resolve("link"), root.resolve("host").resolve(target));
        Files.createSymbolicLink(evil.resolve("link.js"), root.resolve("host").resolve(target));
        Files.createSymbolicLink(packages.resolve("node_modules/linked"), root.resolve("host"));

        for (var name : List.of("evil", "linked", "linked/present.js", "linked/present.json")) {
            var program = bundle("import * as x from '" + name + "'; export const code = () => x;", "evil", "linked");

            assertThat(program.javaScript() + sourceMap(program)).as(name).doesNotContain(SECRET);
            assertThat(program.compileError().orElse("")).as(name).doesNotContain(SECRET, root.toString());
        }
        clear();
    }

    @Test
    void bundlesAnHonestPackage_withItsFiles() throws IOException {
        install(
                "honest",
                "index.js",
                "exports.a = require('./data.json').a + require('./lib/b') + require('@s/c/sub');");
        Files.writeString(packages.resolve("node_modules/honest/data.json"), "{\"a\":\"salt\"}");
        Files.createDirectories(packages.resolve("node_modules/honest/lib"));
        Files.writeString(packages.resolve("node_modules/honest/lib/b.js"), "module.exports = 'flour'");
        Files.createDirectories(packages.resolve("node_modules/@s/c"));
        Files.writeString(packages.resolve("node_modules/@s/c/sub.js"), "module.exports = 'water'");

        var program = bundle(
                "import { a } from 'honest'; import fs from 'node:fs'; import c from '@s/c/sub';"
                        + " export const code = () => a + c + fs.constants.R_OK;",
                "honest@1",
                "@s/c@npm:other@^1.0.0");

        assertThat(program.compileError()).isEmpty();
        assertThat(program.javaScript()).contains("salt", "flour", "water");
    }

    @Test
    void namesThePackage_thatAnotherOneMisses() throws IOException {
        install("honest", "index.js", "module.exports = require('peer-of-it/sub.js');");

        assertThat(bundle("import x from 'honest'; export const code = () => x;", "honest")
                        .compileError())
                .contains("Could not resolve \"peer-of-it/sub.js\"");
    }

    @Test
    void saysWhatToDo_whenAPackageIsNotDeclared() throws IOException {
        install("honest", "index.js", "module.exports = 1;");

        assertThat(bundle("import x from 'left-pad'; export const code = () => x;", "honest")
                        .compileError())
                .contains(
                        "import \"left-pad\" is refused: it is neither a module of Node.js nor a package of packageJson"
                                + " (honest); add it to the dependencies there");
    }

    @Test
    void compilesNoPackages_whereTheKernelKeepsNothingFromTheCompiler() throws IOException {
        install("honest", "index.js", "module.exports = 1;");
        var unfenced = new CodeCompiler(
                vertx, root.resolve("unfenced"), new Isolation(Isolation.Settings.of(Path.of("/dev/null"))));

        var program = CodeBench.await(unfenced.bundle(
                "import x from 'honest'; export const code = () => x;", List.of("honest@1"), packages, List.of()));
        var plain = CodeBench.await(unfenced.forNode("import fs from 'fs'; export const code = () => fs;"));
        var climbing = CodeBench.await(unfenced.forNode("export const code = () => require('../host/present.json');"));

        assertThat(program.compileError())
                .hasValueSatisfying(
                        error -> assertThat(error)
                                .contains(
                                        "packages are compiled only where the kernel keeps the compiler from the files of the host"));
        assertThat(CodeCompiler.isLasting(program)).isFalse();
        assertThat(plain.compileError()).isEmpty();
        assertThat(climbing.compileError())
                .hasValueSatisfying(error -> assertThat(error).contains("is refused"));
        CodeBench.await(unfenced.close());
    }

    /** The compiler adds its own helpers to these, and lists them in its report on imports. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "function once(type: any) { return type; } @once class Mill {} export const code = () => [process.pid, new Mill()];",
                "export const code = async () => { using a = null; await using b = null; return process.pid; };",
                "export const code = async (name: string) => import(name);",
            })
    void compilesASource_thatNeedsHelpersOfTheCompiler(String source) throws IOException {
        install("honest", "index.js", "module.exports = 1;");

        for (var program : List.of(bundle(source, "honest"), CodeBench.await(compiler.forNode(source)))) {
            assertThat(program.compileError()).as(source).isEmpty();
        }
    }

    private static CodeProgram bundledWith(Map<String, String> files, String name) throws IOException {
        clear();
        for (var file : files.entrySet()) {
            install(
                    "evil",
                    file.getKey(),
                    file.getValue()
                            .replace("@import", "\u0000")
                            .replace("@", name)
                            .replace("\u0000", "@import")
                            .replace("$HOST", root.resolve("host").toString()));
        }
        return bundle("import * as x from 'evil'; export const code = () => x;", "evil");
    }

    private static void install(String name, String file, String text) throws IOException {
        var folder = Files.createDirectories(packages.resolve("node_modules").resolve(name));
        Files.writeString(folder.resolve(file), text);
    }

    private static void clear() throws IOException {
        if (Files.exists(packages)) {
            try (var paths = Files.walk(packages)) {
                for (var path : paths.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    private static CodeProgram bundle(String source, String... names) {
        return CodeBench.await(compiler.bundle(source, List.of(names), packages, List.of()));
    }

    private static String sourceMap(CodeProgram program) {
        var mark = "base64,";
        var at = program.javaScript().lastIndexOf(mark);
        return at < 0
                ? ""
                : new String(
                        Base64.getDecoder()
                                .decode(program.javaScript()
                                        .substring(at + mark.length())
                                        .strip()),
                        StandardCharsets.UTF_8);
    }
}
