package io.millrace.authoring.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.authoring.flow.editor.FlowSamples;
import io.millrace.authoring.folder.Folders;
import io.millrace.base.bus.Nothing;
import io.millrace.base.bus.Notice;
import io.millrace.base.core.ApiException;
import io.millrace.support.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Notifications to other modules about flows and folders (contract flows-and-engine 30). */
class FlowNoticesIT {
    private final FlowBench room = new FlowBench();
    private final List<Notice> received = new CopyOnWriteArrayList<>();

    @BeforeEach
    void listen() {
        room.bus().on(Flows.Created.class, received::add);
        room.bus().on(Flows.Updated.class, received::add);
        room.bus().on(Flows.Published.class, received::add);
        room.bus().on(Flows.Activated.class, received::add);
        room.bus().on(Flows.Deactivated.class, received::add);
        room.bus().on(Flows.Deleted.class, received::add);
        room.bus().on(Folders.Created.class, received::add);
        room.bus().on(Folders.Updated.class, received::add);
        room.bus().on(Folders.Deleted.class, received::add);
    }

    @AfterEach
    void stop() {
        room.close();
    }

    private void told(Class<?>... kinds) {
        Waiting.until("notices of " + List.of(kinds) + ", found " + received, () -> received.size() >= kinds.length);
        List<Class<?>> classes = new ArrayList<>();
        received.forEach(notice -> classes.add(notice.getClass()));
        assertThat(classes).isEqualTo(List.of(kinds));
    }

    @Test
    void reportsChangesOfAFlow() {
        // given
        var flow = room.createFlow();
        room.apply(flow, "UPDATE_TRIGGER", FlowClient.WEBHOOK);
        received.clear();

        // when
        room.apply(flow, "LOCK_AND_PUBLISH", "{}");
        room.apply(flow, "CHANGE_STATUS", "{'status':'ENABLED'}");
        room.apply(flow, "CHANGE_STATUS", "{'status':'DISABLED'}");
        room.apply(flow, "LOCK_AND_PUBLISH", "{'status':'DISABLED'}");
        assertThat(room.ask(new Flows.Delete(FlowBench.BY, flow.flow().id()))).isEqualTo(Nothing.DONE);

        // then
        told(
                Flows.Updated.class,
                Flows.Published.class,
                Flows.Activated.class,
                Flows.Updated.class,
                Flows.Updated.class,
                Flows.Deactivated.class,
                Flows.Updated.class,
                Flows.Published.class,
                Flows.Deleted.class);
        var first = (Flows.Updated) received.getFirst();
        assertThat(first.by()).isEqualTo(FlowBench.BY);
        assertThat(first.request()).isEqualTo(FlowSamples.json("{'type':'LOCK_AND_PUBLISH','request':{}}"));
        assertThat(((Flows.Deleted) received.getLast()).flow().version().flowId())
                .isEqualTo(flow.flow().id());
    }

    @Test
    void reportsNothing_withoutAChange() {
        // given
        var flow = room.createFlow();
        told(Flows.Created.class);

        // when
        assertThatThrownBy(() -> room.apply(flow, "LOCK_AND_PUBLISH", "{}")).isInstanceOf(ApiException.class);
        assertThatThrownBy(() -> room.apply(flow, "DUPLICATE_ACTION", "{'stepName':'nobody'}"))
                .isInstanceOf(ApiException.class);
        room.apply(flow, "CHANGE_NAME", "{'displayName':'x'}");

        // then
        told(Flows.Created.class, Flows.Updated.class);
    }

    @Test
    void reportsChangesOfFolders() {
        // when
        var folder = room.ask(new Folders.Put(FlowBench.BY, room.projectId(), "Orders"));
        room.ask(new Folders.Put(FlowBench.BY, room.projectId(), "orders"));
        room.ask(new Folders.Rename(FlowBench.BY, folder.folder().id(), "Bills"));
        room.ask(new Folders.Delete(FlowBench.BY, folder.folder().id()));
        var byName = new Flows.Create(
                FlowBench.BY, room.projectId(), "x", null, null, Optional.empty(), Optional.of("New"), null);
        var flow = room.ask(byName);

        // then
        told(
                Folders.Created.class,
                Folders.Updated.class,
                Folders.Updated.class,
                Folders.Deleted.class,
                Flows.Created.class);
        assertThat(((Folders.Deleted) received.get(3)).folder().displayName()).isEqualTo("Bills");
        assertThat(flow.flow().folderId()).isNotNull();
    }
}
