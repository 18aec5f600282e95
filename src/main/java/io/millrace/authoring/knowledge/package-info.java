/**
 * Knowledge bases of projects: documents that agents search (contract agents 7). A document is split into chunks, an
 * embedding model of the platform's chat provider computes a vector of each, and a query finds the chunks with the most
 * similar vectors.
 *
 * <p>Start reading at {@link io.millrace.authoring.knowledge.KnowledgeFiles}. {@code KnowledgeService} stores
 * documents, {@code ChunkService} stores and finds chunks, {@code IndexingService} computes missing vectors. Every
 * request contains the project, and reads no data of another one, regardless of a document's content.
 */
package io.millrace.authoring.knowledge;
