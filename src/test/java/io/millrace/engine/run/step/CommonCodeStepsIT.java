package io.millrace.engine.run.step;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Steps of code as flows commonly have them, by what they use: the language alone, what Node.js has, npm packages. Those
 * with packages need the registry, and are skipped where it cannot be reached.
 */
class CommonCodeStepsIT {
    /** A second loopback address, so that allowing it opens no other service. */
    private static final String OUTSIDE = "127.0.0.4";

    /** A package with native code, published as a separate package for each platform. */
    private static final String NATIVE = "@node-rs/crc32";

    private static TestServer server;
    private static TestServer.SignedIn admin;
    private static HttpServer outside;

    @BeforeAll
    static void start() throws IOException {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":")).anyMatch(folder -> Files.exists(Path.of(folder, "node"))),
                "Node.js is not on the PATH");
        outside = HttpServer.create(new InetSocketAddress(OUTSIDE, 0), 0);
        outside.createContext("/", exchange -> {
            var body = Json.text(Json.object()
                            .put("method", exchange.getRequestMethod())
                            .put("token", exchange.getRequestHeaders().getFirst("authorization"))
                            .put("sent", new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)))
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("content-type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        outside.start();
        server = ServerSettings.openSignUp()
                .with("AP_SSRF_ALLOW_LIST", OUTSIDE)
                .with("AP_NODE_NATIVE_PACKAGES", NATIVE)
                .startInRealTime();
        admin = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
            outside.stop(0);
        }
    }

    /**
     * A step.
     *
     * @param packages each {@code name@version}, with blanks between them
     * @param input JSON with single quotes
     * @param body of the function
     * @param output JSON with single quotes
     */
    record CommonStep(String subject, String packages, String imports, String input, String body, String output) {
        static CommonStep plain(String subject, String input, String body, String output) {
            return new CommonStep(subject, "", "", input, body, output);
        }

        String source() {
            return imports + "\nexport const code = async (inputs: any) => {\n" + body + "\n};";
        }

        Map<String, String> dependencies() {
            return packages.isEmpty()
                    ? Map.of()
                    : Stream.of(packages.split(" "))
                            .collect(Collectors.toMap(
                                    each -> each.substring(0, each.lastIndexOf('@')),
                                    each -> each.substring(each.lastIndexOf('@') + 1)));
        }

        @Override
        public String toString() {
            return subject;
        }
    }

    static Stream<CommonStep> withoutPackages() {
        return Stream.of(
                CommonStep.plain(
                        "groups rows",
                        "{'rows':[{'k':'a','n':1},{'k':'b','n':2},{'k':'a','n':3}]}",
                        "return inputs.rows.reduce((all, { k, n }) => ({ ...all, [k]: (all[k] ?? 0) + n }), {});",
                        "{'a':4,'b':2}"),
                CommonStep.plain(
                        "formats money",
                        "{'amount':1234.5}",
                        "return { text: inputs.amount.toLocaleString('en-US', { minimumFractionDigits: 2 }) };",
                        "{'text':'1,234.50'}"),
                CommonStep.plain(
                        "reads what may be text of JSON",
                        "{'rows':'{\\u00220\\u0022:{\\u0022values\\u0022:[\\u0022a\\u0022,2]}}'}",
                        "let rows: any = inputs.rows; if (typeof rows === 'string') { try { rows = JSON.parse(rows); } catch (e) { rows = null; } }"
                                + " return Array.isArray(rows) ? rows : Object.values(rows ?? {}).map((row: any) => row.values ?? row);",
                        "[['a',2]]"),
                CommonStep.plain(
                        "tells the time of a zone",
                        "{'at':'2026-03-09T22:30:00Z'}",
                        "return { day: new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(new Date(inputs.at)) };",
                        "{'day':'2026-03-10'}"),
                CommonStep.plain(
                        "makes a short code",
                        "{'id':'a','key':'k'}",
                        "const crypto = require('node:crypto');"
                                + " const sum = crypto.createHmac('sha256', inputs.key).update(`${inputs.id}|x`).digest('base64');"
                                + " return { length: sum.replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=+$/, '').slice(0, 10).length };",
                        "{'length':10}"),
                CommonStep.plain(
                        "fetches JSON",
                        "{}",
                        "const answer = await fetch(inputs.url, { headers: { authorization: 'Bearer t' } });"
                                + " const found = await answer.json(); return { ok: answer.ok, token: found.token };",
                        "{'ok':true,'token':'Bearer t'}"),
                CommonStep.plain(
                        "posts a form",
                        "{}",
                        "const body = new URLSearchParams({ a: '1', b: 'two words' });"
                                + " const answer = await fetch(inputs.url, { method: 'POST', body });"
                                + " return { sent: (await answer.json()).sent };",
                        "{'sent':'a=1&b=two+words'}"),
                CommonStep.plain(
                        "gives a request up",
                        "{}",
                        "const stop = new AbortController(); stop.abort();"
                                + " return fetch(inputs.url, { signal: stop.signal }).catch((e) => ({ name: e.name }));",
                        "{'name':'AbortError'}"),
                CommonStep.plain(
                        "decodes base64",
                        "{'data':'eyJhIjoxfQ=='}",
                        "return JSON.parse(Buffer.from(inputs.data, 'base64').toString('utf8'));",
                        "{'a':1}"),
                CommonStep.plain(
                        "checks a signature",
                        "{'body':'v','key':'k'}",
                        "const crypto = require('crypto'); const made = crypto.createHmac('sha256', inputs.key)"
                                + ".update(inputs.body).digest('hex'); return { length: made.length,"
                                + " equal: crypto.timingSafeEqual(Buffer.from(made), Buffer.from(made)) };",
                        "{'length':64,'equal':true}"),
                CommonStep.plain(
                        "signs a token",
                        "{}",
                        "const { privateKey, publicKey } = require('node:crypto').generateKeyPairSync('ec', { namedCurve: 'P-256' });"
                                + " const { sign, verify } = require('node:crypto'); const data = Buffer.from('claims');"
                                + " return { good: verify('sha256', data, publicKey, sign('sha256', data, privateKey)) };",
                        "{'good':true}"),
                CommonStep.plain(
                        "writes and reads a temporary file",
                        "{'text':'grain'}",
                        "const fs = require('fs/promises'); const path = require('path'); const os = require('os');"
                                + " const file = path.join(os.tmpdir(), 'note.txt'); await fs.writeFile(file, inputs.text);"
                                + " const size = (await fs.readFile(file)).length; await fs.unlink(file); return { size };",
                        "{'size':5}"),
                CommonStep.plain(
                        "packs and unpacks",
                        "{'text':'flour'}",
                        "const zlib = require('zlib'); const { promisify } = require('util');"
                                + " const packed = await promisify(zlib.gzip)(inputs.text);"
                                + " return { text: (await promisify(zlib.gunzip)(packed)).toString() };",
                        "{'text':'flour'}"),
                CommonStep.plain(
                        "reads a stream",
                        "{}",
                        "const { Readable } = require('stream'); let all = '';"
                                + " for await (const part of Readable.from(['a', 'b'])) all += part; return { all };",
                        "{'all':'ab'}"),
                CommonStep.plain(
                        "makes ids",
                        "{}",
                        "return { length: crypto.randomUUID().length, host: new URL('https://a.example/b?c=1').host };",
                        "{'length':36,'host':'a.example'}"));
    }

    static Stream<CommonStep> withPackages() {
        return Stream.of(
                new CommonStep(
                        "lodash",
                        "lodash@4.17.21",
                        "import _ from 'lodash';",
                        "{'rows':[{'n':2},{'n':1}]}",
                        "return _.sortBy(inputs.rows, 'n');",
                        "[{'n':1},{'n':2}]"),
                new CommonStep(
                        "two packages",
                        "he@1.2.0 html-to-text@9.0.5",
                        "import { htmlToText } from 'html-to-text'; import he from 'he';",
                        "{'html':'<h1>Q&amp;A</h1><p>&lt;b&gt;</p>'}",
                        "const text = htmlToText(inputs.html, { wordwrap: false });"
                                + " return { lines: he.decode(text).split(/\\n+/).map((line) => line.trim()) };",
                        "{'lines':['Q&A','<b>']}"),
                new CommonStep(
                        "he",
                        "he@1.2.0",
                        "import he from 'he';",
                        "{'text':'a &amp; b'}",
                        "return { text: he.decode(inputs.text) };",
                        "{'text':'a & b'}"),
                new CommonStep(
                        "html-to-text",
                        "html-to-text@9.0.5",
                        "import { convert } from 'html-to-text';",
                        "{'html':'<p>Hi <b>you</b></p>'}",
                        "return { text: convert(inputs.html) };",
                        "{'text':'Hi you'}"),
                new CommonStep(
                        "dayjs",
                        "dayjs@1.11.13",
                        "import dayjs from 'dayjs'; import utc from 'dayjs/plugin/utc';",
                        "{'day':'2026-01-31'}",
                        "dayjs.extend(utc); return { day: dayjs.utc(inputs.day).add(1, 'month').format('YYYY-MM-DD') };",
                        "{'day':'2026-02-28'}"),
                new CommonStep(
                        "uuid",
                        "uuid@9.0.1",
                        "import { v5, validate } from 'uuid';",
                        "{'name':'a'}",
                        "return { valid: validate(v5(inputs.name, v5.DNS)) };",
                        "{'valid':true}"),
                new CommonStep(
                        "zod",
                        "zod@3.23.8",
                        "import { z } from 'zod';",
                        "{'a':'4'}",
                        "return z.object({ a: z.coerce.number() }).parse(inputs);",
                        "{'a':4}"),
                new CommonStep(
                        "nanoid",
                        "nanoid@5.0.7",
                        "import { nanoid } from 'nanoid';",
                        "{}",
                        "return { length: nanoid(12).length };",
                        "{'length':12}"),
                new CommonStep(
                        "csv-parse",
                        "csv-parse@5.5.6",
                        "import { parse } from 'csv-parse/sync';",
                        "{'csv':'a,b'}",
                        "return parse(inputs.csv);",
                        "[['a','b']]"),
                new CommonStep(
                        "native code",
                        NATIVE + "@1.10.6",
                        "import { crc32 } from '" + NATIVE + "';",
                        "{'text':'grain'}",
                        "return { sum: crc32(inputs.text) };",
                        "{'sum':2066090481}"),
                new CommonStep(
                        "axios",
                        "axios@1.7.9",
                        "import axios from 'axios';",
                        "{}",
                        "const { data, status } = await axios.post(inputs.url, { a: 1 });"
                                + " return { status, sent: JSON.parse(data.sent) };",
                        "{'status':200,'sent':{'a':1}}"));
    }

    @ParameterizedTest
    @MethodSource("withoutPackages")
    void runs(CommonStep step) {
        assertOutput(step, LiveFlow.publish(admin, script(step)));
    }

    @ParameterizedTest
    @MethodSource("withPackages")
    void installsAndRuns(CommonStep step) {
        var flow = LiveFlow.draft(admin, script(step));
        var operation = Json.object().put("type", "LOCK_AND_PUBLISH");
        operation.putObject("request");

        var published = flow.operate(operation);

        var told = published.body().toString();
        assumeTrue(
                Stream.of("ENOTFOUND", "EAI_AGAIN", "ECONN", "TIMEOUT", "ETIMEDOUT", "ENETUNREACH", "E50", "E429")
                        .noneMatch(told::contains),
                "the registry of npm packages cannot be reached");
        assertThat(published.status()).as(told).isEqualTo(200);
        assertOutput(step, flow);
    }

    private static FlowScript script(CommonStep step) {
        var input = ((ObjectNode) json(step.input()))
                .put("url", "http://" + OUTSIDE + ":" + outside.getAddress().getPort() + "/orders");
        return webhook().code("step_1", step.source(), input.toString().replace('"', '\''), step.dependencies());
    }

    private static void assertOutput(CommonStep step, LiveFlow flow) {
        var run = flow.run(json("{}"));

        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output")).isEqualTo(json(step.output()));
    }
}
