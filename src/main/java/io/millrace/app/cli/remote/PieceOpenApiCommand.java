package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import io.millrace.app.cli.command.UsageException;
import io.millrace.base.core.Json;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

public final class PieceOpenApiCommand implements Subcommand {
    private static final CommandOption FROM = new CommandOption(
            "--from",
            "SOURCE",
            "file or URL of the document in JSON or YAML; the server fetches a URL; the name of the option may be left out");
    private static final CommandOption NAME =
            new CommandOption("--name", "NAME", "name after @openapi/piece-; default: from the title of the API");
    private static final CommandOption OPERATIONS = new CommandOption(
            "--operations", "LIST", "operation ids, or methods and paths, separated by commas; default: all");
    private static final CommandOption BASE_URL =
            new CommandOption("--base-url", "URL", "URL of the API; default: the first server of the document");
    private static final CommandOption VARIABLES = new CommandOption(
            "--server-variables", "LIST", "values of variables in the URL of the API, such as region=eu,tenant=acme");
    private static final CommandOption CONNECTION_VARIABLES = new CommandOption(
            "--connection-variables",
            "LIST",
            "variables in the URL of the API that each connection fills, such as tenant");
    private static final CommandOption PAGINATION =
            new CommandOption("--pagination", "KIND", "way to the next page: LINK, CURSOR, PAGE or OFFSET");
    private static final CommandOption PAGE_PARAMETER = new CommandOption(
            "--page-parameter", "NAME", "query parameter of the cursor, the page number or the offset");
    private static final CommandOption ITEMS_PATH =
            new CommandOption("--items-path", "POINTER", "JSON pointer of the list in a response");
    private static final CommandOption CURSOR_PATH =
            new CommandOption("--cursor-path", "POINTER", "JSON pointer of the next cursor");
    private static final CommandOption DRY_RUN =
            CommandOption.flag("--dry-run", "prints operations, gaps and changes without installing the piece");

    private static final long BYTES_MAX = 50L << 20;

    @Override
    public String name() {
        return "piece openapi";
    }

    @Override
    public String summary() {
        return "makes a piece of an OpenAPI document, or upgrades it, and prints its operations, gaps and changes";
    }

    @Override
    public String description() {
        return """
            Each operation of the document becomes an action. The server chooses the version by the difference to the installed one; an
            unchanged document installs nothing. The key has to be one of the platform.\
            """;
    }

    @Override
    public List<CommandOption> options() {
        return List.of(
                FROM,
                RemoteServer.SERVER,
                RemoteServer.KEY_FILE,
                NAME,
                OPERATIONS,
                BASE_URL,
                VARIABLES,
                CONNECTION_VARIABLES,
                PAGINATION,
                PAGE_PARAMETER,
                ITEMS_PATH,
                CURSOR_PATH,
                DRY_RUN);
    }

    @Override
    public Optional<CommandOption> argument() {
        return Optional.of(FROM);
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        var request = request(words);
        var report = RemoteServer.of(words, terminal).post("/api/v1/pieces/openapi", request);
        terminal.out().print(words.isJson() ? report + "\n" : text(report));
        return ExitStatus.OK;
    }

    private static ObjectNode request(CommandWords words) {
        var from = words.required(FROM);
        var request = Json.object().put("dryRun", words.has(DRY_RUN));
        if (from.matches("(?i)https?://.*")) {
            request.put("url", from);
        } else {
            request.put("document", read(Path.of(from)));
        }
        words.value(NAME).ifPresent(name -> request.put("name", name));
        words.value(BASE_URL).ifPresent(url -> request.put("baseUrl", url));
        words.value(OPERATIONS).ifPresent(list -> putList(request, "operations", list));
        words.value(CONNECTION_VARIABLES).ifPresent(list -> putList(request, "connectionVariables", list));
        words.value(VARIABLES).ifPresent(list -> {
            var variables = request.putObject("serverVariables");
            for (var variable : list.split(",")) {
                var parts = variable.strip().split("=", 2);
                if (parts.length < 2) {
                    throw new UsageException(VARIABLES.name() + ": expected name=value, found " + variable.strip());
                }
                variables.put(parts[0], parts[1]);
            }
        });
        words.value(PAGINATION).ifPresent(kind -> {
            var pagination = request.putObject("pagination").put("kind", kind);
            words.value(PAGE_PARAMETER).ifPresent(name -> pagination.put("parameter", name));
            words.value(ITEMS_PATH).ifPresent(path -> pagination.put("itemsPath", path));
            words.value(CURSOR_PATH).ifPresent(path -> pagination.put("cursorPath", path));
        });
        return request;
    }

    private static void putList(ObjectNode request, String field, String list) {
        var texts = request.putArray(field);
        for (var text : list.split(",")) {
            texts.add(text.strip());
        }
    }

    private static String read(Path file) {
        try {
            if (!Files.isRegularFile(file)) {
                throw RemoteException.data(file + ": expected a file or a URL, found neither");
            }
            if (Files.size(file) > BYTES_MAX) {
                throw RemoteException.data(
                        file + ": expected at most " + (BYTES_MAX >> 20) + " MB, found a larger file");
            }
            return Files.readString(file);
        } catch (CharacterCodingException otherBytes) {
            throw RemoteException.data(file + ": expected a text in UTF-8, found other bytes");
        } catch (IOException unreadable) {
            throw RemoteException.data(file + ": cannot be read: " + unreadable.getMessage());
        }
    }

    private static String text(JsonNode report) {
        var text = new StringBuilder("piece " + report.path("name").asText() + " "
                + report.path("version").asText());
        text.append(
                report.path("unchanged").asBoolean()
                        ? ": installed already, unchanged"
                        : report.path("dryRun").asBoolean() ? ": not installed (dry run)" : ": installed");
        text.append("\nserver ").append(report.path("baseUrl").asText()).append('\n');
        for (var group : report.path("groups")) {
            for (var operation : group.path("operations")) {
                text.append(operation.path("selected").asBoolean() ? "  " : "- ")
                        .append(operation.path("actionName").asText())
                        .append(" (")
                        .append(operation.path("method").asText())
                        .append(' ')
                        .append(operation.path("path").asText())
                        .append(")\n");
            }
        }
        for (var action : report.at("/changes/actions")) {
            text.append("changed: ")
                    .append(action.path("name").asText())
                    .append(' ')
                    .append(action.path("change").asText())
                    .append('\n');
        }
        for (var gap : report.path("gaps")) {
            text.append("! ")
                    .append(gap.path("place").asText())
                    .append(": ")
                    .append(gap.path("message").asText())
                    .append('\n');
        }
        return text.toString();
    }
}
