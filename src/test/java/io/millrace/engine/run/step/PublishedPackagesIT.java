package io.millrace.engine.run.step;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Code steps with npm packages as flows commonly have them. Needs the registry; skipped where it cannot be reached. */
class PublishedPackagesIT {
    private static TestServer server;
    private static TestServer.SignedIn admin;

    @BeforeAll
    static void start() {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":")).anyMatch(folder -> Files.exists(Path.of(folder, "node"))),
                "Node.js is not on the PATH");
        server = TestServer.startInRealTime(Map.of("AP_ALLOW_OPEN_SIGN_UP", "true"));
        admin = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lodash       | 4.17.21 | import _ from 'lodash'; export const code = async () => _.camelCase('a late bird'); | aLateBird",
                "he           | 1.2.0   | import he from 'he'; export const code = async () => he.decode('a &amp; b'); | a & b",
                "html-to-text | 9.0.5   | import { convert } from 'html-to-text'; export const code = async () => convert('<p>Hi <b>you</b></p>'); | Hi you",
                "dayjs        | 1.11.13 | import dayjs from 'dayjs'; export const code = async () => dayjs('2026-01-31').add(1, 'month').format('YYYY-MM-DD'); | 2026-02-28",
                "uuid         | 9.0.1   | import { v5 } from 'uuid'; export const code = async () => v5('a', v5.DNS).length; | 36",
                "zod          | 3.23.8  | import { z } from 'zod'; export const code = async () => z.object({ a: z.coerce.number() }).parse({ a: '4' }).a; | 4",
                "nanoid       | 5.0.7   | import { nanoid } from 'nanoid'; export const code = async () => nanoid(12).length; | 12",
                "csv-parse    | 5.5.6   | import { parse } from 'csv-parse/sync'; export const code = async () => parse('a,b')[0][1]; | b",
            })
    void runsWith(String name, String version, String source, String output) {
        var flow = LiveFlow.draft(admin, webhook().code("step_1", source, "{}", Map.of(name, version)));
        var operation = Json.object().put("type", "LOCK_AND_PUBLISH");
        operation.putObject("request");

        var published = flow.operate(operation);

        var told = published.body().toString();
        assumeTrue(
                Stream.of("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ETIMEDOUT", "ENETUNREACH")
                        .noneMatch(told::contains),
                "the registry of npm packages cannot be reached");
        assertThat(published.status()).as(told).isEqualTo(200);
        assertThat(flow.run(json("{}")).at("/steps/step_1/output").asText()).isEqualTo(output);
    }
}
