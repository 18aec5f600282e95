package io.millrace.piece.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * An image that is wanted.
 *
 * @param inputs images that it starts from
 * @param options of the provider: quality, size, background
 */
public record ModelDrawing(String prompt, List<ModelFile> inputs, ObjectNode options) {}
