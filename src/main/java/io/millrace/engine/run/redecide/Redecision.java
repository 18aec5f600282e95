package io.millrace.engine.run.redecide;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Outcome of a walk.
 *
 * @param steps log of the walk, in the form of a run's log
 * @param visited paths of the steps that were reached, in order; empty unless the walk was asked for them
 */
public record Redecision(RedecisionVerdict verdict, ObjectNode steps, List<String> visited) {}
