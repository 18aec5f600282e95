package io.millrace.workspace.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.piece.model.AnswerListener;
import io.millrace.piece.model.ModelChoice;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.ModelResponse;
import io.millrace.workspace.aiprovider.FindProvider;
import io.millrace.workspace.aiprovider.ProviderAccess;
import io.millrace.workspace.project.Projects;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/**
 * Sends each {@link ModelProbe} to providers of models, streamed and whole, and prints a table. {@code scripts/models}
 * starts it; a provider is included only if its key is in the environment.
 */
final class ModelProbes {
    private static final long TIMEOUT_MS = 120_000;
    private static final int CONTEXT_TOKENS = 100_000;
    private static final int FINDING_LENGTH_MAX = 200;

    /** Addresses of providers on this machine, for example Ollama. */
    private static final String LOCAL = "127.0.0.1";

    /**
     * Provider with its key and a model.
     *
     * @param title column of the table
     */
    record ProbedAccount(String title, String provider, ObjectNode config, ObjectNode auth, String model) {}

    private ModelProbes() {}

    public static void main(String[] arguments) {
        var accounts = accounts(System.getenv());
        if (accounts.isEmpty()) {
            System.out.println("models: no key in the environment; expected at least one of " + VARIABLES);
            System.exit(2);
        }
        var isGood = new ProbeTable(accounts, host -> "https://" + host).print(System.out);
        System.exit(isGood ? 0 : 1);
    }

    static final List<String> VARIABLES = List.of(
            "OPENAI_API_KEY",
            "ANTHROPIC_API_KEY",
            "GEMINI_API_KEY",
            "OPENROUTER_API_KEY",
            "MISTRAL_API_KEY",
            "XAI_API_KEY",
            "DEEPSEEK_API_KEY",
            "MOONSHOT_API_KEY",
            "AZURE_OPENAI_API_KEY",
            "AWS_ACCESS_KEY_ID",
            "OLLAMA_BASE_URL");

    /** Providers whose key is in the environment. A variable like OPENAI_MODEL names another model. */
    static List<ProbedAccount> accounts(Map<String, String> environment) {
        var accounts = new ArrayList<ProbedAccount>();
        addKeyed(accounts, environment, "OPENAI", "openai", "gpt-5.4-mini");
        addKeyed(accounts, environment, "ANTHROPIC", "anthropic", "claude-haiku-4-5");
        addKeyed(accounts, environment, "GEMINI", "google", "gemini-2.5-flash");
        addKeyed(accounts, environment, "OPENROUTER", "openrouter", "anthropic/claude-haiku-4.5");
        addKeyed(accounts, environment, "MISTRAL", "mistral", "mistral-small-latest");
        addKeyed(accounts, environment, "XAI", "xai", "grok-4-fast");
        addKeyed(accounts, environment, "DEEPSEEK", "deepseek", "deepseek-chat");
        addKeyed(accounts, environment, "MOONSHOT", "moonshot", "kimi-k2-0905-preview");
        read(environment, "AZURE_OPENAI_API_KEY")
                .ifPresent(key -> accounts.add(new ProbedAccount(
                        "AZURE",
                        "azure",
                        Json.object().put("resourceName", needed(environment, "AZURE_OPENAI_RESOURCE")),
                        Json.object().put("apiKey", key),
                        needed(environment, "AZURE_OPENAI_DEPLOYMENT"))));
        read(environment, "AWS_ACCESS_KEY_ID")
                .ifPresent(key -> accounts.add(new ProbedAccount(
                        "BEDROCK",
                        "bedrock",
                        Json.object().put("region", needed(environment, "AWS_REGION")),
                        Json.object()
                                .put("accessKeyId", key)
                                .put("secretAccessKey", needed(environment, "AWS_SECRET_ACCESS_KEY")),
                        needed(environment, "BEDROCK_MODEL"))));
        read(environment, "OLLAMA_BASE_URL")
                .ifPresent(url -> accounts.add(new ProbedAccount(
                        "OLLAMA",
                        "custom",
                        Json.object().put("baseUrl", url + "/v1").put("apiKeyHeader", "Authorization"),
                        Json.object().put("apiKey", "Bearer none"),
                        needed(environment, "OLLAMA_MODEL"))));
        return accounts;
    }

    private static void addKeyed(
            List<ProbedAccount> accounts,
            Map<String, String> environment,
            String title,
            String provider,
            String model) {
        read(environment, title + "_API_KEY")
                .ifPresent(key -> accounts.add(new ProbedAccount(
                        title,
                        provider,
                        Json.object(),
                        Json.object().put("apiKey", key),
                        read(environment, title + "_MODEL").orElse(model))));
    }

    private static Optional<String> read(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }

    private static String needed(Map<String, String> environment, String name) {
        return read(environment, name)
                .orElseThrow(() -> new IllegalArgumentException(name + ": expected a value in the environment"));
    }

    /** Results of all probes of some providers. */
    static final class ProbeTable {
        private final List<ProbedAccount> accounts;
        private final UnaryOperator<String> origins;
        private final List<String> findings = new ArrayList<>();

        /** @param origins maps the host of a provider to its base address */
        ProbeTable(List<ProbedAccount> accounts, UnaryOperator<String> origins) {
            this.accounts = accounts;
            this.origins = origins;
        }

        /** Runs and prints the probes; true if every response was as expected. */
        boolean print(PrintStream out) {
            out.println("| probe | "
                    + String.join(
                            " | ", accounts.stream().map(ProbedAccount::title).toList()) + " |");
            out.println("|---".repeat(accounts.size() + 1) + "|");
            for (var probe : ModelProbe.values()) {
                for (var streamed : new boolean[] {true, false}) {
                    var row = new StringBuilder("| " + probe + (streamed ? ", streamed" : ", whole"));
                    accounts.forEach(account -> row.append(" | ").append(cell(probe, account, streamed)));
                    out.println(row.append(" |"));
                }
            }
            findings.forEach(out::println);
            return findings.isEmpty();
        }

        private String cell(ModelProbe probe, ProbedAccount account, boolean streamed) {
            var finding = finding(probe, account, streamed);
            if (finding.isEmpty()) {
                return "ok";
            }
            findings.add(findings.size() + 1 + ". " + account.title() + " (" + account.model() + "), " + probe
                    + (streamed ? ", streamed: " : ", whole: ")
                    + finding.substring(0, Math.min(finding.length(), FINDING_LENGTH_MAX)));
            return "see " + findings.size();
        }

        private String finding(ModelProbe probe, ProbedAccount account, boolean streamed) {
            var vertx = Vertx.vertx();
            try {
                var models = models(vertx, account);
                return probe.objection(request -> answer(models, account, request, streamed));
            } catch (FailedCall failed) {
                return failed.getMessage();
            } finally {
                vertx.close();
            }
        }

        private ProviderModels models(Vertx vertx, ProbedAccount account) {
            var bus = new Bus(vertx);
            bus.serve(Projects.Find.class, ask -> Future.succeededFuture(TestProject.of(ask.projectId())));
            bus.serve(
                    FindProvider.class,
                    _ -> Future.succeededFuture(new ProviderAccess(
                            "1", account.provider(), account.title(), account.config(), account.auth())));
            var http = new OutboundHttp(vertx, AddressGuard.allowing(LOCAL), OutboundLimits.defaults());
            return new ProviderModels(bus, http, Optional.empty(), InstantSource.system(), origins);
        }
    }

    /** A request without a response. */
    private static final class FailedCall extends RuntimeException {
        private static final long serialVersionUID = 1L;

        FailedCall(Throwable cause) {
            super(String.valueOf(cause.getMessage()), cause);
        }
    }

    private static ModelResponse answer(
            ProviderModels models, ProbedAccount account, ModelRequest request, boolean streamed) {
        var choice = new ModelChoice(account.provider(), "1", account.model(), CONTEXT_TOKENS);
        var asked = streamed
                ? models.askAloud("p", choice, request, TIMEOUT_MS, AnswerListener.of(_ -> {}))
                : models.ask("p", choice, request, TIMEOUT_MS);
        try {
            return asked.toCompletionStage().toCompletableFuture().get(2 * TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw new FailedCall(failed.getCause());
        } catch (TimeoutException late) {
            throw new FailedCall(late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new FailedCall(interrupted);
        }
    }
}
