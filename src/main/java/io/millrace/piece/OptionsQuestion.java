package io.millrace.piece;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * What an editor asks of a property whose choices depend on others (contract flows-and-engine 29).
 *
 * @param step name of an action or a trigger
 * @param input what is filled in so far, with expressions
 * @param searchValue what the user typed into a searchable drop-down
 */
public record OptionsQuestion(
        String projectId,
        String flowId,
        String flowVersionId,
        String step,
        String property,
        ObjectNode input,
        Optional<String> searchValue) {}
