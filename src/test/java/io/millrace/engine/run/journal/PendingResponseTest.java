package io.millrace.engine.run.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.StartListener;
import io.millrace.piece.HttpAnswer;
import io.vertx.core.Promise;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PendingResponseTest {
    private static final String RUN = "run1";

    private final Promise<Runs.StartResult> answer = Promise.promise();
    private final PendingResponse caller = new PendingResponse(RUN, new StartListener.ForAnswer(answer));

    @Test
    void waitsOn_whenAnotherActorTakesOverBeforeAnyAnswer() {
        // When
        var before = caller.takenOver(true);

        // Then
        assertThat(before.wantsAnswer()).isTrue();
        assertThat(answer.future().isComplete()).isFalse();
    }

    @Test
    void isAnswered_whenWhatLedToTheAnswerIsDurable() {
        // Given
        caller.answer(httpAnswer());

        // When
        var before = caller.takenOver(true);

        // Then
        assertThat(answer.future().result()).isEqualTo(new Runs.StartResult.Answered(RUN, httpAnswer()));
        assertThat(before.wantsAnswer()).isFalse();
    }

    @Test
    void reportsALostRun_whenItsAnswerMayNotBeDurable() {
        // Given
        caller.answer(httpAnswer());

        // When
        caller.takenOver(false);

        // Then
        assertThat(answer.future().failed()).isTrue();
    }

    @Test
    void reportsAnAcceptedRun_whenItWaitsForNothingElse() {
        // Given
        var acceptance = Promise.<String>promise();

        // When
        new PendingResponse(RUN, new StartListener.ForAcceptance(acceptance)).takenOver(false);

        // Then
        assertThat(acceptance.future().result()).isEqualTo(RUN);
    }

    private static HttpAnswer httpAnswer() {
        return new HttpAnswer(200, Map.of(), Json.object());
    }
}
