/**
 * Stores the idempotency keys and answers of API requests in the database (decision 0381): {@link RequestKeyService} serves
 * the messages of {@link io.millrace.base.http.RequestKeys}. Keys under which runs are started belong to
 * {@code engine.run.start}.
 */
package io.millrace.base.idempotency;
