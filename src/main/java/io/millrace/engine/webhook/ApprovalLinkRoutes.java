package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.config.WebhookSettings;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.engine.run.ApprovalLinks;
import io.millrace.engine.run.Approvals;
import io.millrace.engine.run.Approvals.Approver;
import io.millrace.engine.run.RunQueries;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/**
 * Personal links of approvers (decision 0470). A request that only views the page decides nothing; a POST of its form records
 * the decision in the name of the approver of the link.
 */
public final class ApprovalLinkRoutes implements RouteGroup {
    private static final long DEADLINE_MS = 30_000;
    private static final int COMMENT_LENGTH_MAX = 2_000;
    private static final String OVER = "This request has been decided already or has expired.";
    private static final String OVER_REMEDY =
            "You do not need to do anything. If you expected to decide, ask the sender of the link.";
    private static final String RECORDED = "Your decision has been recorded. You can close this page now.";
    private static final String HEADING = "Your decision is needed";

    private final Bus bus;
    private final ApprovalLinks links;
    private final WebhookSettings settings;

    public ApprovalLinkRoutes(Bus bus, ApprovalLinks links, WebhookSettings settings) {
        this.bus = bus;
        this.links = links;
        this.settings = settings;
    }

    @Override
    public void mount(Routes routes) {
        var payloads = new PayloadReader(routes.bodies(), settings);
        routes.withSecret("token").raw("/v1/flow-runs/:id/approval/:token", context -> answer(context, payloads));
    }

    private record Visit(RoutingContext context, String runId, Approver.Guest guest, ConfirmBrand brand) {
        ConfirmPage page() {
            return new ConfirmPage(brand, context.request().path());
        }
    }

    private void answer(RoutingContext context, PayloadReader payloads) {
        var isPost = context.request().method().equals(HttpMethod.POST);
        // The body is read first: it must not arrive before its reader.
        var body = isPost
                ? payloads.read(context, () -> visit(context))
                        .map(read -> read.payload().path("body"))
                : Future.succeededFuture((JsonNode) Json.object());
        body.compose(form -> visit(context).compose(visit -> isPost ? decide(visit, form) : show(visit, "", 200)))
                .onFailure(failure -> fail(context, failure));
    }

    private static void fail(RoutingContext context, Throwable failure) {
        if (LinkReader.wantsPage(context.request()) && ApiException.isNotFound(failure)) {
            ConfirmPage.showUnknownLink(context.request());
        } else {
            CallerAnswers.fail(context.response(), Routes.requestId(context), failure);
        }
    }

    private Future<Visit> visit(RoutingContext context) {
        var runId = context.pathParam("id");
        var guest = Optional.of(runId).filter(Ids::isId).flatMap(id -> links.read(id, context.pathParam("token")));
        return guest.isEmpty()
                ? Future.failedFuture(ApiException.notFound("flow_run", runId))
                : bus.ask(new RunQueries.ProjectOf(runId), DEADLINE_MS)
                        .compose(projectId ->
                                ConfirmBrand.of(bus, projectId, DEADLINE_MS).otherwise(ConfirmBrand.USUAL))
                        .map(brand -> new Visit(context, runId, guest.get(), brand));
    }

    private Future<Void> show(Visit visit, String problem, int status) {
        return bus.ask(new Approvals.LookAt(visit.runId(), visit.guest()), DEADLINE_MS)
                .map(task -> {
                    var email = visit.guest().email();
                    var page = visit.page();
                    var html = task.isEmpty()
                            ? page.note(OVER, OVER_REMEDY)
                            : task.get().hasDecided(email)
                                    ? page.note("You have decided on this request.")
                                    : page.html(
                                            HEADING,
                                            new ApprovalPage(
                                                            task.get(),
                                                            email,
                                                            visit.brand()
                                                                    .project()
                                                                    .orElse(""))
                                                    .html(problem));
                    page.send(visit.context().response(), status, html);
                    return null;
                });
    }

    private Future<Void> decide(Visit visit, JsonNode form) {
        Approvals.Vote vote;
        try {
            vote = vote(form);
        } catch (ApiException refused) {
            return show(visit, refused.getMessage(), 400);
        }
        return bus.ask(new Approvals.Decide(visit.runId(), visit.guest(), vote), DEADLINE_MS)
                .<Void>map(_ -> {
                    visit.page()
                            .send(visit.context().response(), 200, visit.page().note(RECORDED));
                    return null;
                })
                .recover(failure -> failure instanceof ApiException refused && isOfApprover(refused.code())
                        ? show(visit, problem(refused), refused.code() == ErrorCode.INVALID_INPUT ? 400 : 409)
                        : Future.failedFuture(failure));
    }

    private static boolean isOfApprover(ErrorCode code) {
        return code == ErrorCode.INVALID_INPUT || code == ErrorCode.VALIDATION;
    }

    private static String problem(ApiException refused) {
        return refused.params().path("message").asText(refused.getMessage());
    }

    private static Approvals.Vote vote(JsonNode form) {
        var comment = form.path("comment").asText("").strip();
        if (comment.length() > COMMENT_LENGTH_MAX) {
            throw ApiException.of(
                    ErrorCode.INVALID_INPUT,
                    "Comment: expected at most " + COMMENT_LENGTH_MAX + " characters, found " + comment.length());
        }
        var verdict = switch (form.path("decision").asText("")) {
            case "APPROVED" -> Approvals.Verdict.APPROVED;
            case "DECLINED" -> Approvals.Verdict.DECLINED;
            default -> throw ApiException.of(ErrorCode.INVALID_INPUT, "Decision: expected APPROVED or DECLINED");
        };
        return new Approvals.Vote(verdict, comment, answers(form));
    }

    private static ObjectNode answers(JsonNode form) {
        var answers = Json.object();
        form.properties().forEach(field -> {
            if (field.getKey().startsWith(ApprovalPage.FIELD)) {
                answers.set(field.getKey().substring(ApprovalPage.FIELD.length()), field.getValue());
            }
        });
        return answers;
    }
}
