package io.millrace.file;

import io.millrace.access.Access;
import io.millrace.bus.Bus;
import io.millrace.http.Call;
import io.millrace.http.HttpModule;
import io.millrace.http.Input;
import io.millrace.http.Reply;
import io.millrace.http.Routes;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Reading files over HTTP (contract flows-and-engine 20.4). The token in the query is the only proof that is asked for:
 * these addresses are handed to other services.
 */
public final class FileRoutes implements HttpModule {
    private final Bus bus;

    public FileRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/files/:id", Access.everybody(), FileRoutes::readAddress, this::answer);
        routes.get("/v1/step-files/signed", Access.everybody(), FileRoutes::readOlderAddress, this::answer);
    }

    private static FileAddress readAddress(Input input) {
        return new FileAddress(Optional.of(input.id("id")), token(input));
    }

    private static FileAddress readOlderAddress(Input input) {
        return new FileAddress(Optional.empty(), token(input));
    }

    private static String token(Input input) {
        return input.query().optionalText("token").orElse("");
    }

    private Future<Reply> answer(Call call, FileAddress address) {
        return bus.ask(new Files.Read(address), call.deadlineMs()).map(content -> reply(call, content));
    }

    /** The headers keep a browser from running what a stranger sent. */
    private static Reply reply(Call call, Files.Content content) {
        call.context()
                .response()
                .putHeader("Content-Disposition", Disposition.of(content.file()))
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Content-Security-Policy", "default-src 'none'; sandbox")
                .putHeader("Cache-Control", "private");
        return new Reply(200, content.data(), content.file().contentType());
    }
}
