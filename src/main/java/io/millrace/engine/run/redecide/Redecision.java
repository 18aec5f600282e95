package io.millrace.engine.run.redecide;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Outcome of a walk.
 *
 * @param steps log of the walk, in the form of a run's log
 * @param visited paths of the steps that were reached, in order; empty unless the walk was asked for them
 * @param endedBeyondRecord whether the walk ended because the run has no record of the last visited step
 */
public record Redecision(
        RedecisionVerdict verdict, ObjectNode steps, List<String> visited, boolean endedBeyondRecord) {}
