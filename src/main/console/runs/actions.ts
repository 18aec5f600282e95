import { api, type Answer } from '../base/api/client';
import type { Failure } from '../base/api/failure';
import { failure } from '../base/api/failure';
import { reliably } from '../base/api/reliably';
import { complain, say } from '../base/components/Toasts';
import { count } from '../base/text';

export type Strategy = 'FROM_FAILED_STEP' | 'ON_LATEST_VERSION';

/** Limit of runs in one request of the API. */
const AT_ONCE = 500;

function* portions(ids: readonly string[]): Generator<string[]> {
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    yield ids.slice(from, from + AT_ONCE);
  }
}

export async function retry(
  projectId: string,
  flowRunIds: readonly string[],
  strategy: Strategy,
): Promise<Answer<'POST /v1/flow-runs/retry'>> {
  const all: Answer<'POST /v1/flow-runs/retry'> = [];
  for (const portion of portions(flowRunIds)) {
    const answer = await reliably('POST /v1/flow-runs/retry', { body: { projectId, flowRunIds: portion, strategy } });
    if (!answer.ok) {
      complain(answer.failure);
      break;
    }
    all.push(...answer.value);
  }
  const refused = all.filter((run) => run.error);
  if (refused.length > 0) {
    complain(
      failure('RETRY_REFUSED', {
        message: count('runs.notRetried', refused.length, { reason: refused[0]?.error?.errorMessage ?? '' }),
      }),
    );
  }
  if (all.length > refused.length) {
    say(count('runs.retried', all.length - refused.length));
  }
  return all;
}

export async function cancel(projectId: string, flowRunIds: readonly string[]): Promise<Failure | undefined> {
  for (const portion of portions(flowRunIds)) {
    const answer = await api('POST /v1/flow-runs/cancel', { body: { projectId, flowRunIds: portion } });
    if (!answer.ok) {
      return answer.failure;
    }
  }
  say(count('runs.canceled', flowRunIds.length));
  return undefined;
}

export async function archive(projectId: string, flowRunIds: readonly string[]): Promise<void> {
  for (const portion of portions(flowRunIds)) {
    const answer = await api('POST /v1/flow-runs/archive', { body: { projectId, flowRunIds: portion } });
    if (!answer.ok) {
      complain(answer.failure);
      return;
    }
  }
  say(count('runs.archived', flowRunIds.length));
}
