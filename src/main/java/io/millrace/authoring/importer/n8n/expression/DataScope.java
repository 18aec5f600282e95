package io.millrace.authoring.importer.n8n.expression;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** Data that expressions of one node can read. */
public interface DataScope {
    /** The input of the node; empty for a trigger. */
    Optional<View> input();

    /** The output of another node as readable here; empty if the node is not executed before this one. */
    Optional<View> output(String node);

    /** The output of another node for the current item; differs from the above if this node is in a loop over its items. */
    Optional<View> pairedOutput(String node);

    boolean hasNode(String node);

    /** Parameters of a node; missing if there is no such node. */
    JsonNode parameters(String node);

    JsonNode ownParameters();

    /** Expression of the number of the current item, from 0. */
    String itemIndex();

    /** Expression of the number of the current iteration of the surrounding loop, from 0. */
    String runIndex();

    String workflowName();

    String workflowId();

    String previousNode();

    String ownName();
}
