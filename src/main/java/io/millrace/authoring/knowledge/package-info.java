/**
 * Knowledge bases of projects: documents that agents look into (contract agents 7). A document is cut into chunks, a model
 * of the platform's chat provider makes a vector of each, and a question finds the chunks whose vectors are like its own.
 *
 * <p>Start reading at {@link io.millrace.authoring.knowledge.KnowledgeFiles}. {@code KnowledgeService} keeps documents,
 * {@code ChunkService} keeps and finds chunks, {@code IndexingService} makes what vectors are missing. Everything that is
 * asked names the project, and nothing of another one is ever read: what a document says can change nothing about that.
 */
package io.millrace.authoring.knowledge;
