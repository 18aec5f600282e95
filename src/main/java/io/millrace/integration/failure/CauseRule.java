package io.millrace.integration.failure;

import io.millrace.base.config.Setting;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A line of the table of causes.
 *
 * @param id stable name of the rule
 * @param summary one sentence without data of the run; {@code %s} stands for the status of the response
 * @param setting setting of the exceeded limit
 */
public record CauseRule(
        String id, CauseClass cause, String summary, Optional<Setting> setting, Predicate<FailureFacts> matches) {
    static CauseRule of(String id, CauseClass cause, String summary, Predicate<FailureFacts> matches) {
        return new CauseRule(id, cause, summary, Optional.empty(), matches);
    }

    static CauseRule limit(String id, Setting setting, String summary, Predicate<FailureFacts> matches) {
        return new CauseRule(id, CauseClass.LIMIT, summary, Optional.of(setting), matches);
    }

    public String summaryOf(FailureFacts facts) {
        return facts.httpStatus().isPresent()
                ? summary.replace("%s", String.valueOf(facts.httpStatus().getAsInt()))
                : summary;
    }
}
