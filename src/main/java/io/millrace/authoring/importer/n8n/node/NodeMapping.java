package io.millrace.authoring.importer.n8n.node;

import io.millrace.authoring.importer.n8n.graph.WorkflowNode;

/** Translation of the nodes of one or more types. */
public interface NodeMapping {
    /** Relation of a node to the items of its input. */
    enum Level {
        /** Runs once for each item: a list of items needs a loop around it. */
        ITEM,
        /** Reads all items at once. */
        LIST,
        /** Passes items on, wherever it is. */
        ANY
    }

    default Level level(WorkflowNode node) {
        return Level.ITEM;
    }

    /** Number of outputs of which one is selected for an item; 1 for nodes with one output. */
    default int selectingOutputs(WorkflowNode node) {
        return 1;
    }

    /** True if a node of this type repeats the nodes after an output for batches of items. */
    default boolean isLoop() {
        return false;
    }

    default boolean isTrigger() {
        return false;
    }

    /** Adds the steps of a node and its outputs to the context. */
    void translate(NodeContext context);
}
