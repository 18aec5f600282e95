package io.millrace.engine.run.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.run.RunRelease;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OrphanCheckTest {
    private final Set<String> here = new HashSet<>();
    private final List<RunRelease> released = new ArrayList<>();
    private final OrphanCheck lost = new OrphanCheck(here::contains, released::add);

    @Test
    void givesAwayWhatIsMissingTwice() {
        // Given
        here.add("carried");

        // When
        look(new RunRelease("carried", 0), new RunRelease("lost", 3));
        assertThat(released).isEmpty();
        look(new RunRelease("carried", 0), new RunRelease("lost", 3));

        // Then
        assertThat(released).containsExactly(new RunRelease("lost", 3));
    }

    @Test
    void leavesARunAlone_thatIsOnItsWay() {
        // when it arrives, or its ownership has changed
        look(new RunRelease("late", 1), new RunRelease("taken again", 1));
        here.add("late");
        look(new RunRelease("late", 1), new RunRelease("taken again", 2));
        look();
        look(new RunRelease("taken again", 2));

        // Then
        assertThat(released).isEmpty();
    }

    private void look(RunRelease... runs) {
        lost.look(new OrphanCheck.Owned(List.of(runs), true));
    }
}
