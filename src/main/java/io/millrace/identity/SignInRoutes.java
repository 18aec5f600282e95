package io.millrace.identity;

import io.millrace.access.Access;
import io.millrace.access.Principal;
import io.millrace.bus.Bus;
import io.millrace.bus.Request;
import io.millrace.config.Config;
import io.millrace.http.Call;
import io.millrace.http.HttpModule;
import io.millrace.http.Input;
import io.millrace.http.Reply;
import io.millrace.http.Routes;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Routes of signing up and in (contract admin-api 32.1). One instance serves all event loops, so that they share one
 * count of requests.
 */
public final class SignInRoutes implements HttpModule {
    private static final Pattern NAME = Pattern.compile("^[^./]+$");
    private static final int PASSWORD_LENGTH_MIN = 8;
    private static final int PASSWORD_LENGTH_MAX = 64;

    private final Bus bus;
    private final SignInLimit limit;

    public SignInRoutes(Bus bus, Config config, InstantSource clock) {
        this.bus = bus;
        this.limit = new SignInLimit(config.signIn(), config.http().clientAddressHeader(), clock);
    }

    @Override
    public void mount(Routes routes) {
        routes.post("/v1/authentication/sign-up", Access.everybody(), SignInRoutes::readSignUp, this::open);
        routes.post("/v1/authentication/sign-in", Access.everybody(), SignInRoutes::readSignIn, this::open);
    }

    /** What is asked, once it is known by whom. */
    private interface Wish extends Function<Principal, Request<Session>> {}

    private static Wish readSignUp(Input input) {
        var body = input.body();
        var email = body.email("email");
        var password = body.text("password", PASSWORD_LENGTH_MIN, PASSWORD_LENGTH_MAX);
        var firstName = body.text("firstName", NAME);
        var lastName = body.text("lastName", NAME);
        var trackEvents = body.flag("trackEvents");
        var newsLetter = body.flag("newsLetter");
        return by -> new SignIns.SignUp(by, email, password, firstName, lastName, trackEvents, newsLetter);
    }

    private static Wish readSignIn(Input input) {
        var body = input.body();
        var email = body.email("email");
        var password = body.text("password", PASSWORD_LENGTH_MIN, PASSWORD_LENGTH_MAX);
        return by -> new SignIns.SignIn(by, email, password);
    }

    private Future<Reply> open(Call call, Wish wish) {
        limit.admit(call.context());
        return bus.ask(wish.apply(call.principal()), call.deadlineMs()).map(session -> Reply.ok(session.toJson()));
    }
}
