package io.millrace.integration.failure;

import static io.millrace.integration.failure.CauseClass.AUTHOR_DATA;
import static io.millrace.integration.failure.CauseClass.CREDENTIALS;
import static io.millrace.integration.failure.CauseClass.EXPRESSION;
import static io.millrace.integration.failure.CauseClass.PIECE;
import static io.millrace.integration.failure.CauseClass.PLATFORM_DEFECT;
import static io.millrace.integration.failure.CauseClass.REMOTE_SERVICE;

import io.millrace.base.config.Setting;
import io.millrace.engine.run.RunStatus;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Table of the causes of failed runs. The first matching rule decides; the last one matches every failure. Statuses of runs
 * come first, because they end a run regardless of the step; then names of errors, responses of services, messages, and the
 * type of the failed step.
 */
public final class CauseRules {
    private static final String CODE = "CODE";

    private static final List<CauseRule> RULES = List.of(
            CauseRule.of(
                    "run.setAside",
                    PLATFORM_DEFECT,
                    "The server ended several times while this run was executing, and the run was set aside.",
                    ended(RunStatus.INTERNAL_ERROR).and(says("^The server ended \\d+ times"))),
            CauseRule.of(
                    "process.killed",
                    PLATFORM_DEFECT,
                    "The process that executed the step ended without a result.",
                    ended(RunStatus.INTERNAL_ERROR)
                            .or(ended(RunStatus.FAILED).and(named("")))
                            .and(says("^The process of the (code|piece) (was killed|ended)"))),
            CauseRule.of(
                    "run.internalError",
                    PLATFORM_DEFECT,
                    "The server could not execute the run.",
                    ended(RunStatus.INTERNAL_ERROR)),
            CauseRule.limit(
                    "limit.time",
                    Setting.AP_FLOW_TIMEOUT_SECONDS,
                    "The run took longer than AP_FLOW_TIMEOUT_SECONDS allows.",
                    ended(RunStatus.TIMEOUT)),
            CauseRule.limit(
                    "limit.codeMemory",
                    Setting.AP_SANDBOX_MEMORY_LIMIT,
                    "The step needed more memory than AP_SANDBOX_MEMORY_LIMIT allows.",
                    ended(RunStatus.MEMORY_LIMIT_EXCEEDED).and(in(CODE, "PIECE"))),
            CauseRule.limit(
                    "limit.runMemory",
                    Setting.AP_RUN_MEMORY_MAX_MB,
                    "The run needed more memory than AP_RUN_MEMORY_MAX_MB allows.",
                    ended(RunStatus.MEMORY_LIMIT_EXCEEDED)),
            CauseRule.limit(
                    "limit.logSize",
                    Setting.AP_MAX_FLOW_RUN_LOG_SIZE_MB,
                    "The inputs and outputs of the run are larger than AP_MAX_FLOW_RUN_LOG_SIZE_MB allows.",
                    ended(RunStatus.LOG_SIZE_EXCEEDED)),
            new CauseRule(
                    "limit.quota",
                    CauseClass.LIMIT,
                    "The plan of the project does not allow more runs.",
                    Optional.empty(),
                    ended(RunStatus.QUOTA_EXCEEDED)),
            CauseRule.of(
                    "connection.notFound",
                    CREDENTIALS,
                    "The connection of the step does not exist.",
                    named("ConnectionNotFound")),
            CauseRule.of(
                    "connection.expired",
                    CREDENTIALS,
                    "The connection of the step has expired.",
                    named("ConnectionExpired")),
            CauseRule.of(
                    "connection.unusable",
                    CREDENTIALS,
                    "The connection of the step could not be loaded.",
                    named("ConnectionLoadingFailure")),
            CauseRule.limit(
                    "limit.fileSize",
                    Setting.AP_MAX_FILE_SIZE_MB,
                    "A file is larger than AP_MAX_FILE_SIZE_MB allows.",
                    named("FileSizeError")),
            CauseRule.limit(
                    "limit.storeValue",
                    Setting.AP_MAX_STORE_ENTRY_VALUE_SIZE_KB,
                    "A value for the store is larger than AP_MAX_STORE_ENTRY_VALUE_SIZE_KB allows.",
                    named("StorageLimitError")),
            CauseRule.limit(
                    "limit.pause",
                    Setting.AP_PAUSED_FLOW_TIMEOUT_DAYS,
                    "The pause is longer than AP_PAUSED_FLOW_TIMEOUT_DAYS allows.",
                    named("PausedFlowTimeoutError")),
            CauseRule.limit(
                    "limit.blockedAddress",
                    Setting.AP_SSRF_ALLOW_LIST,
                    "The address is private, and AP_SSRF_ALLOW_LIST does not contain it.",
                    named("SSRFBlockedError")),
            new CauseRule(
                    "limit.expression",
                    CauseClass.LIMIT,
                    "An expression of the step needs more work or memory than one step may have.",
                    Optional.empty(),
                    named("ExpressionLimitExceeded")),
            CauseRule.of(
                    "piece.notInstalled",
                    PIECE,
                    "The piece of the step is not installed, or has no such action.",
                    named("PieceNotFoundError")),
            CauseRule.of(
                    "server.store",
                    PLATFORM_DEFECT,
                    "The server could not read or write data of the step.",
                    named("StorageError", "FileStoreError", "EngineError")),
            CauseRule.of(
                    "expression.formula",
                    EXPRESSION,
                    "A formula of the step cannot be evaluated.",
                    named("FormulaEvaluationError")),
            CauseRule.of(
                    "expression.operator",
                    EXPRESSION,
                    "A condition of the router has no operator.",
                    named("OperatorNotSet")),
            CauseRule.of(
                    "data.storeKey",
                    AUTHOR_DATA,
                    "The key of the store is empty or too long.",
                    named("StorageInvalidKeyError")),
            CauseRule.of(
                    "data.cron",
                    AUTHOR_DATA,
                    "The schedule is not a cron expression.",
                    named("InvalidCronExpressionError")),
            CauseRule.of(
                    "code.compilation",
                    AUTHOR_DATA,
                    "The code of the step does not compile.",
                    named("CompilationError")),
            CauseRule.of(
                    "code.output",
                    AUTHOR_DATA,
                    "The code of the step returned a value that cannot be stored.",
                    named("OutputError")),
            CauseRule.of(
                    "service.denied",
                    CREDENTIALS,
                    "The service answered %s: it refused the credentials.",
                    status(401, 401)),
            CauseRule.of(
                    "service.forbidden",
                    CREDENTIALS,
                    "The service answered %s: the credentials lack a permission.",
                    status(403, 403)),
            CauseRule.of(
                    "service.notFound",
                    REMOTE_SERVICE,
                    "The service answered %s: it does not have the requested resource.",
                    status(404, 404).or(status(410, 410))),
            CauseRule.of(
                    "service.rateLimit",
                    REMOTE_SERVICE,
                    "The service answered %s: it received too many requests.",
                    status(429, 429)),
            CauseRule.of("service.failed", REMOTE_SERVICE, "The service answered %s: it failed.", status(500, 599)),
            CauseRule.of(
                    "service.refused",
                    REMOTE_SERVICE,
                    "The service answered %s: it refused the request.",
                    status(400, 499)),
            CauseRule.of("service.answered", REMOTE_SERVICE, "The service answered %s.", status(100, 399)),
            CauseRule.of(
                    "service.unreachable",
                    REMOTE_SERVICE,
                    "The service did not answer.",
                    named("FetchError").or(isOf(CODE).negate().and(FailureMessages::isUnreachable))),
            CauseRule.of(
                    "data.loopItems",
                    AUTHOR_DATA,
                    "The items of the loop are not a list.",
                    isOf("LOOP_ON_ITEMS").and(says("^The items you have selected must be a list"))),
            CauseRule.of(
                    "data.input",
                    AUTHOR_DATA,
                    "A value in the input of the step is missing or has the wrong type.",
                    in("PIECE", "PIECE_TRIGGER").and(FailureMessages::isInvalidInput)),
            CauseRule.of(
                    "data.address",
                    AUTHOR_DATA,
                    "The address in the input of the step is no URL.",
                    isOf("PIECE").and(says("^Invalid URL"))),
            CauseRule.of("code.failed", AUTHOR_DATA, "The code of the step threw an error.", isOf(CODE)),
            CauseRule.of(
                    "expression.failed",
                    EXPRESSION,
                    "A condition or the items of the step cannot be evaluated.",
                    in("ROUTER", "LOOP_ON_ITEMS")),
            CauseRule.of("piece.failed", PIECE, "The piece failed.", _ -> true));

    private CauseRules() {}

    /** The whole table, in the order of its evaluation. */
    public static List<CauseRule> all() {
        return RULES;
    }

    public static CauseRule of(FailureFacts facts) {
        return RULES.stream()
                .filter(rule -> rule.matches().test(facts))
                .findFirst()
                .orElseThrow();
    }

    private static Predicate<FailureFacts> ended(RunStatus status) {
        return facts -> facts.status() == status;
    }

    private static Predicate<FailureFacts> named(String... names) {
        var any = Set.of(names);
        return facts -> any.contains(facts.errorName());
    }

    private static Predicate<FailureFacts> status(int from, int to) {
        return facts -> facts.httpStatus().isPresent()
                && facts.httpStatus().getAsInt() >= from
                && facts.httpStatus().getAsInt() <= to;
    }

    private static Predicate<FailureFacts> says(String pattern) {
        var compiled = Pattern.compile(pattern);
        return facts -> compiled.matcher(facts.message()).find();
    }

    private static Predicate<FailureFacts> isOf(String stepType) {
        return in(stepType);
    }

    private static Predicate<FailureFacts> in(String... stepTypes) {
        var any = Set.of(stepTypes);
        return facts -> any.contains(facts.stepType());
    }
}
