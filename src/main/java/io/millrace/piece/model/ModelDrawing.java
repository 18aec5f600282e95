package io.millrace.piece.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Request for an image.
 *
 * @param inputs images to edit
 * @param options of the provider: quality, size, background
 */
public record ModelDrawing(String prompt, List<ModelFile> inputs, ObjectNode options) {}
