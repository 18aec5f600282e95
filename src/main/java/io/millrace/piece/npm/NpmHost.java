package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.Fence;
import io.millrace.piece.PieceCrash;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceWorld;
import io.millrace.sandbox.node.NodeVerticle;
import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.sandbox.node.call.ReverseCalls;
import io.millrace.sandbox.node.call.RunningNode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls installed packages, and maps the outcomes to failures of the server (contract pieces 3, 10.4). */
final class NpmHost {
    private static final Logger LOG = LoggerFactory.getLogger(NpmHost.class);
    private static final List<String> DETAILS =
            List.of("status", "responseBody", "responseHeaders", "requestBody", "requestUrl", "requestMethod");

    private final Vertx vertx;
    private final NodeVerticle node;
    private final PackageInstaller installer;
    private final PieceWorld world;
    private final Supplier<String> publicUrl;
    private final UnaryOperator<String> tokens;
    private final long fileBytesMax;
    private final NativeCode nativeCode;
    private final Supplier<Fence> fences;

    /**
     * @param publicUrl address of this server without a slash at its end
     * @param tokens makes the token by which code that works for a project calls this server
     * @param fileBytesMax largest file that a package may return
     * @param nativeCode which packages may load native code
     * @param fences permission of a call that belongs to no step, asked for by each call
     */
    NpmHost(
            Vertx vertx,
            NodeVerticle node,
            PackageInstaller installer,
            PieceWorld world,
            Supplier<String> publicUrl,
            UnaryOperator<String> tokens,
            long fileBytesMax,
            NativeCode nativeCode,
            Supplier<Fence> fences) {
        this.nativeCode = nativeCode;
        this.fences = fences;
        this.vertx = vertx;
        this.node = node;
        this.installer = installer;
        this.world = world;
        this.publicUrl = publicUrl;
        this.tokens = tokens;
        this.fileBytesMax = fileBytesMax;
    }

    Vertx vertx() {
        return vertx;
    }

    /** Reason why no package can run at the moment; empty when they can. */
    Future<Optional<String>> trouble() {
        return node.trouble();
    }

    long fileBytesMax() {
        return fileBytesMax;
    }

    PieceWorld world() {
        return world;
    }

    /** A package, and the function that restores its folder when it is missing on this node. */
    record Target(String group, PackageId id, String integrity, Supplier<Future<Void>> restore) {}

    Path exchange(Target target) {
        return installer.groupFolder(target.group()).resolve("exchange");
    }

    private Path folder(Target target) {
        return installer.folder(target.group(), target.id(), target.integrity());
    }

    ObjectNode frame(Target target, String operation, ObjectNode runtime) {
        var frame = Json.object().put("op", operation);
        frame.putObject("piece")
                .put("name", target.id().name())
                .put("version", target.id().version())
                .put("path", folder(target).toString());
        frame.set("runtime", runtime);
        return frame;
    }

    /** Identification of the caller; absent fields do not apply. */
    ObjectNode runtime(String projectId, String flowId, String flowVersionId, String runId) {
        // All routes of the server share one base address, which pieces call like any other.
        var address = publicUrl.get() + "/api/";
        return Json.object()
                .put("apiUrl", address)
                .put("publicUrl", address)
                .put("token", projectId == null ? "" : tokens.apply(projectId))
                .put("projectId", projectId)
                .put("flowId", flowId)
                .put("flowVersionId", flowVersionId)
                .put("flowRunId", runId);
    }

    Future<Running> call(
            Target target, NodeCall.Urgency urgency, ObjectNode frame, ReverseCalls reverse, long timeLimitMs) {
        return call(target, urgency, frame, reverse, timeLimitMs, fences.get());
    }

    /** @param fence permission to make the call, checked when a process is ready for it */
    Future<Running> call(
            Target target,
            NodeCall.Urgency urgency,
            ObjectNode frame,
            ReverseCalls reverse,
            long timeLimitMs,
            Fence fence) {
        var here = installer.isInstalled(target.group(), target.id(), target.integrity())
                ? Future.<Void>succeededFuture()
                : target.restore().get();
        return here.map(_ -> new Running(node.call(
                new NodeCall(
                        target.group(),
                        projectOf(target, frame),
                        new NodeCall.CodeFolders(installer.groupFolder(target.group()), folder(target)),
                        urgency,
                        frame,
                        timeLimitMs,
                        nativeCode.allows(target.group(), target.id()),
                        fence),
                reverse)));
    }

    private static String projectOf(Target target, ObjectNode frame) {
        return frame.at("/runtime/projectId").asText(target.group());
    }

    record Running(RunningNode call) {
        /** Fails with {@link PieceFailure} or {@link PieceCrash}. */
        Future<NodeResult.Returned> returned(PackageId id, Censor censor) {
            return call.result().compose(result -> outcome(id, result, censor));
        }
    }

    private static Future<NodeResult.Returned> outcome(PackageId id, NodeResult result, Censor censor) {
        if (!result.printed().isEmpty() && LOG.isDebugEnabled()) {
            LOG.debug(
                    "{} printed to its output: {}",
                    id,
                    censor.applied(result.printed().standardOutput()));
            LOG.debug(
                    "{} printed to its error output: {}",
                    id,
                    censor.applied(result.printed().standardError()));
        }
        return switch (result) {
            case NodeResult.Returned returned -> Future.succeededFuture(returned);
            case NodeResult.Threw(var error, var _, var _) -> Future.failedFuture(failure(error, censor));
            case NodeResult.TimedOut _ -> broke(PieceCrash.Cause.TIME, "The piece took too long");
            case NodeResult.MemoryExceeded _ -> broke(PieceCrash.Cause.MEMORY, "The piece used too much memory");
            case NodeResult.Killed _ ->
                broke(PieceCrash.Cause.INTERNAL, "The process of the piece was killed during the call");
            case NodeResult.Broke(var reason, var _) -> broke(PieceCrash.Cause.INTERNAL, reason);
            case NodeResult.Cancelled _ ->
                Future.failedFuture(
                        PieceFailure.of(
                                "The call was not made: its run has ended, or the lease of this server ended before the call began"));
            case NodeResult.Unavailable(var reason, var _) -> Future.failedFuture(PieceFailure.of(reason));
        };
    }

    private static <T> Future<T> broke(PieceCrash.Cause why, String message) {
        return Future.failedFuture(new PieceCrash(why, message));
    }

    /** An error of the package (8.1); one of class ENGINE is caused by the server and ends the run. */
    private static RuntimeException failure(ObjectNode error, Censor censor) {
        var message = censor.applied(error.path("message").asText("Unknown error"));
        if (error.path("class").asText().equals("ENGINE")) {
            return new PieceCrash(PieceCrash.Cause.INTERNAL, message);
        }
        var details = Json.object().put("errorName", error.path("name").asText("Error"));
        for (var field : DETAILS) {
            var value = error.get(field);
            if (value != null && !value.isNull()) {
                details.set(field, censor.applied(value));
            }
        }
        return PieceFailure.of(message, details);
    }
}
