package io.millrace.account.identity.signin;

import io.millrace.account.identity.AccountRules;
import io.millrace.account.identity.Session;
import io.millrace.base.access.Access;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.Ids;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.base.http.SessionCookie;
import io.vertx.core.Future;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Routes of sign-up and sign-in, and of the platform created with the first account (contract admin-api 18.2, 32.1). */
public final class SignInRoutes implements RouteGroup {
    private static final Pattern CODE = Pattern.compile("^\\d{6}$");
    private static final int FULL_NAME_LENGTH_MAX = 200;
    private static final int PLATFORM_NAME_LENGTH_MAX = 100;

    private final Bus bus;
    private final SignInLimit limit;
    private final SignInLimit codeLimit;
    private final SessionCookie sessions;

    /**
     * @param limit shared by all instances
     * @param codeLimit the same, of requests that make this server send mail
     */
    public SignInRoutes(Bus bus, SignInLimit limit, SignInLimit codeLimit, SessionCookie sessions) {
        this.bus = bus;
        this.limit = limit;
        this.codeLimit = codeLimit;
        this.sessions = sessions;
    }

    @Override
    public void mount(Routes routes) {
        routes.post("/v1/authentication/sign-up", Access.everybody(), SignInRoutes::readSignUp, this::open);
        routes.post("/v1/authentication/sign-in", Access.everybody(), SignInRoutes::readSignIn, this::open);
        routes.post(
                "/v1/authentication/otp/request",
                Access.everybody(),
                input -> new SignIns.RequestCode(input.body().email("email")),
                this::request);
        routes.post("/v1/authentication/otp/verify", Access.everybody(), SignInRoutes::readCode, this::open);
        routes.post(
                "/v1/authentication/complete-sign-up", Access.newcomers(), SignInRoutes::readCompletion, this::open);
        routes.post("/v1/platforms", Access.newcomers(), SignInRoutes::readPlatform, this::open);
        routes.post("/v1/authentication/switch-platform", Access.platformUsers(), SignInRoutes::readSwitch, this::open);
        routes.post("/v1/authentication/sign-out", Access.everybody(), _ -> true, (call, _) -> signOut(call));
        routes.post("/v1/otp", Access.everybody(), SignInRoutes::readLink, this::request);
        routes.post("/v1/authn/local/verify-email", Access.everybody(), SignInRoutes::readProof, this::recover);
        routes.post("/v1/authn/local/reset-password", Access.everybody(), SignInRoutes::readReset, this::recover);
    }

    private interface Parameters extends Function<Principal, BusRequest<Session>> {}

    private interface Recovery extends Function<Principal, BusRequest<Nothing>> {}

    private static Parameters readSignUp(Input input) {
        var body = input.body();
        var email = body.email("email");
        var password = body.text("password", AccountRules.PASSWORD_LENGTH_MIN, AccountRules.PASSWORD_LENGTH_MAX);
        var firstName = body.text("firstName", AccountRules.NAME);
        var lastName = body.text("lastName", AccountRules.NAME);
        var trackEvents = body.flag("trackEvents");
        var newsLetter = body.flag("newsLetter");
        return by -> new SignIns.SignUp(by, email, password, firstName, lastName, trackEvents, newsLetter);
    }

    private static Parameters readSignIn(Input input) {
        var body = input.body();
        var email = body.email("email");
        var password = body.text("password", AccountRules.PASSWORD_LENGTH_MIN, AccountRules.PASSWORD_LENGTH_MAX);
        return by -> new SignIns.SignIn(by, email, password);
    }

    private static Parameters readCode(Input input) {
        var body = input.body();
        var email = body.email("email");
        var code = body.text("code", CODE);
        return by -> new SignIns.VerifyCode(by, email, code);
    }

    private static Parameters readPlatform(Input input) {
        var body = input.body();
        var name = body.text("name", AccountRules.NAME);
        if (name.length() > PLATFORM_NAME_LENGTH_MAX) {
            body.refuse("name", "Too big: expected string to have <=" + PLATFORM_NAME_LENGTH_MAX + " characters");
        }
        return by -> new SignIns.FoundPlatform((Principal.Newcomer) by, name);
    }

    /** The first word is the first name; all others are the last name. */
    private static Parameters readCompletion(Input input) {
        var given = input.body().text("fullName", AccountRules.NAME);
        var fullName = given.strip();
        if (!given.isEmpty() && (fullName.isEmpty() || fullName.length() > FULL_NAME_LENGTH_MAX)) {
            input.body().refuse("fullName", "Invalid string: expected 1 to " + FULL_NAME_LENGTH_MAX + " characters");
        }
        var end = fullName.indexOf(' ');
        var first = end < 0 ? fullName : fullName.substring(0, end);
        var last = end < 0 ? "" : fullName.substring(end + 1).strip();
        return by -> new SignIns.CompleteSignUp((Principal.Newcomer) by, first, last);
    }

    private static Parameters readSwitch(Input input) {
        var platformId = input.body().text("platformId", Ids.PATTERN);
        return by -> new SignIns.SwitchPlatform(by, platformId);
    }

    private static SignIns.RequestLink readLink(Input input) {
        var body = input.body();
        return new SignIns.RequestLink(body.email("email"), body.option("type", SignIns.LinkType.class));
    }

    private static Recovery readProof(Input input) {
        var body = input.body();
        var identityId = body.text("identityId", Ids.PATTERN);
        var code = body.text("otp");
        return by -> new SignIns.VerifyEmail(by, identityId, code);
    }

    private static Recovery readReset(Input input) {
        var body = input.body();
        var identityId = body.text("identityId", Ids.PATTERN);
        var code = body.text("otp");
        var password = body.text("newPassword", AccountRules.PASSWORD_LENGTH_MIN, AccountRules.PASSWORD_LENGTH_MAX);
        return by -> new SignIns.ResetPassword(by, identityId, code, password);
    }

    /** The answer is always the same. */
    private Future<ApiReply> request(ApiCall call, BusRequest<Nothing> parameters) {
        limit.admit(call.context());
        codeLimit.admit(call.context());
        return bus.ask(parameters, call.deadlineMs()).map(_ -> ApiReply.empty());
    }

    private Future<ApiReply> recover(ApiCall call, Recovery parameters) {
        limit.admit(call.context());
        return bus.ask(parameters.apply(call.principal()), call.deadlineMs()).map(_ -> ApiReply.okEmpty());
    }

    /** Closes the session of a page; a bearer token has no session to close. */
    private Future<ApiReply> signOut(ApiCall call) {
        sessions.close(call.context());
        return Future.succeededFuture(ApiReply.empty());
    }

    private Future<ApiReply> open(ApiCall call, Parameters parameters) {
        limit.admit(call.context());
        return bus.ask(parameters.apply(call.principal()), call.deadlineMs())
                .map(session -> sessions.answer(call.context(), session.toJson()));
    }
}
