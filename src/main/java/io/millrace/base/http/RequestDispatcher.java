package io.millrace.base.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.http.body.BodyReader;
import io.millrace.base.http.body.BodyReception;
import io.millrace.base.http.socket.TextSocket;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Processes a request of a route: collects its body, reads its input, checks its caller, and answers it (contract admin-api
 * 1.2).
 *
 * @param keyed performs requests with an idempotency key once
 * @param settled done when the changes of a request are in force at every node that may receive the next one
 * @param deadlineMs time limit of an answer
 */
public record RequestDispatcher(
        Gatekeeper gatekeeper,
        BodyReception bodies,
        long bodyBytesMax,
        KeyedRequests keyed,
        Supplier<Future<Void>> settled,
        long deadlineMs) {
    /** Key of the body of a request whose handler reads it by itself. */
    static final String BODY = "body";

    /** Marks a request whose caller may not send a large body. */
    private static final String UNKNOWN = "unknown";

    /** Makes the dispatcher of one event loop. */
    public static RequestDispatcher of(
            Bus bus,
            Gatekeeper gatekeeper,
            BodyReception bodies,
            long bodyBytesMax,
            Supplier<Future<Void>> settled,
            long deadlineMs) {
        return new RequestDispatcher(
                gatekeeper, bodies, bodyBytesMax, new KeyedRequests(bus, deadlineMs), settled, deadlineMs);
    }

    TextSocket.Client client(RoutingContext context) {
        return new TextSocket.Client(gatekeeper.addressOf(context), gatekeeper.sessionOf(context));
    }

    /** Collects the body for a handler that does the rest itself. */
    void collected(
            RoutingContext context,
            long bytesMax,
            Function<RoutingContext, Future<?>> mayBeLarge,
            Handler<RoutingContext> handler) {
        bodies.bytes(context, bytesMax, () -> mayBeLarge.apply(context).onFailure(_ -> context.put(UNKNOWN, true)))
                .onSuccess(body -> context.put(BODY, Buffer.buffer(body)))
                .onSuccess(_ -> handler.handle(context))
                .onFailure(refusal -> {
                    if (context.get(UNKNOWN) == null) {
                        context.fail(refusal);
                    } else {
                        handler.handle(context);
                    }
                });
    }

    /** Refuses a request whose address has sent too many, before anything of it is read, or passes it on. */
    void admit(RoutingContext context) {
        gatekeeper.admit(context);
        context.next();
    }

    /** Identifies the caller of a request whose body is not read yet, and checks its access and both rate limits. */
    Future<ApiCall> admitted(RoutingContext context, Access access) {
        return Future.succeededFuture()
                .compose(_ -> {
                    gatekeeper.admit(context);
                    return gatekeeper.pass(access, context, Input.of(context, MissingNode.getInstance()));
                })
                .map(passed -> new ApiCall(passed.principal(), passed.projectId(), deadlineMs, context));
    }

    BodyReader reader(Access access, boolean deep) {
        return new BodyReader(bodies, bodyBytesMax, context -> gatekeeper.mayBringMuch(access, context), deep);
    }

    <T> void answered(
            RoutingContext context,
            Access access,
            Function<Input, T> read,
            BiFunction<ApiCall, T, Future<ApiReply>> answer,
            Future<JsonNode> body) {
        body.map(value -> Input.of(context, value))
                .compose(input -> answer(context, access, read, answer, input))
                .compose(reply -> mayHaveChanged(context) ? settled.get().map(reply) : Future.succeededFuture(reply))
                .onSuccess(reply -> reply.sendTo(context))
                .onFailure(failure ->
                        context.fail(mayHaveChanged(context) ? failure : ApiException.withoutEffect(failure)));
    }

    private static boolean mayHaveChanged(RoutingContext context) {
        var method = context.request().method();
        return !HttpMethod.GET.equals(method) && !HttpMethod.HEAD.equals(method);
    }

    /** Checks the caller of an open stream again. */
    Future<?> admittedAgain(RoutingContext context, Access access, Input input) {
        return gatekeeper.passAgain(access, context, input);
    }

    <T> Future<ApiReply> answer(
            RoutingContext context,
            Access access,
            Function<Input, T> read,
            BiFunction<ApiCall, T, Future<ApiReply>> answer,
            Input input) {
        var message = readWhole(read, input);
        return gatekeeper
                .pass(access, context, input)
                .recover(failure -> Future.failedFuture(ApiException.withoutEffect(failure)))
                .compose(passed -> {
                    var call = new ApiCall(passed.principal(), passed.projectId(), deadlineMs, context);
                    return keyed.perform(
                            context, passed.principal(), input.rawBody(), () -> answer.apply(call, message));
                });
    }

    /** A reader may refuse early; violations recorded before that are reported as well. */
    private static <T> T readWhole(Function<Input, T> read, Input input) {
        T message;
        try {
            message = read.apply(input);
        } catch (ApiException early) {
            input.done();
            throw early;
        }
        input.done();
        return message;
    }
}
