import type { FlowOperation } from '#api';
import { api } from '../base/api/client';
import { success, type Failure, type Result } from '../base/api/failure';
import { reliably } from '../base/api/reliably';
import type { IconName } from '../base/components/Icon';
import { parseJson } from '../base/json';
import { prefix } from '../base/prefix';
import { session } from '../base/session';
import { t, type TextKey } from '../base/text';
import { unique } from '../base/unique';
import { aiFlow, approvalFlow, formFlow, scheduleFlow, webhookFlow, type Version } from './starterFlows';
import { feedbackTable } from './feedbackTable';

export interface Starter {
  id: 'webhook' | 'schedule' | 'form' | 'approval' | 'ai';
  kind: 'webhook' | 'schedule' | 'form';
  icon: IconName;
  title: TextKey;
  text: TextKey;
  name: TextKey;
  /** Runs without further configuration. */
  complete: boolean;
  /** Payload of the trial. */
  sample?: unknown;
  trigger: (version: Version, projectId: string) => Promise<Result<unknown>>;
}

const starter = (
  id: Starter['id'],
  kind: Starter['kind'],
  icon: IconName,
  more: Pick<Starter, 'trigger'> & Partial<Starter>,
): Starter => ({
  id,
  kind,
  icon,
  title: `start.template.${id}`,
  text: `start.template.${id}.text`,
  name: `start.name.${id}`,
  complete: true,
  ...more,
});

const publicUrl = (): string => {
  const now = session.get();
  return now.state === 'in' ? String(now.flags['PUBLIC_URL']) : location.origin;
};

export const starters: readonly Starter[] = [
  starter('webhook', 'webhook', 'webhook', {
    sample: { name: 'Ada' },
    trigger: async (version) => success(webhookFlow(version)),
  }),
  starter('schedule', 'schedule', 'clock', { trigger: async (version) => success(scheduleFlow(version, publicUrl())) }),
  starter('form', 'form', 'table', {
    trigger: async (version, projectId) => {
      const table = await feedbackTable(projectId);
      return table.ok ? success(formFlow(version, table.value.id, table.value.columns)) : table;
    },
  }),
  starter('approval', 'webhook', 'hand', {
    sample: { name: 'A new chair' },
    trigger: async (version) => success(approvalFlow(version)),
  }),
  starter('ai', 'webhook', 'sparkles', { complete: false, trigger: async (version) => success(aiFlow(version)) }),
];

export interface Started {
  starter: Starter;
  flowId: string;
  versionId: string;
  name: string;
  url: string;
  published: boolean;
}

/** A complete flow is published and enabled only if `publishes` is set; otherwise it stays a draft. */
export async function begin(
  chosen: Starter,
  { projectId, folderId }: { projectId: string; folderId: string },
  publishes: boolean,
): Promise<Result<Started>> {
  const pieces = await api('GET /v1/pieces', { query: { projectId } });
  if (!pieces.ok) {
    return pieces;
  }
  const versions = new Map(
    (pieces.value as ReadonlyArray<{ name: string; version: string }>).map((piece) => [piece.name, piece.version]),
  );
  const trigger = await chosen.trigger((piece) => versions.get(piece) ?? '0.0.0', projectId);
  if (!trigger.ok) {
    return trigger;
  }
  const displayName = t(chosen.name);
  const flow = await reliably('POST /v1/flows', {
    body: { displayName, projectId, ...(folderId && folderId !== 'NULL' ? { folderId } : {}) },
  });
  if (!flow.ok) {
    return flow;
  }
  const path = { id: flow.value.id };
  const filled = await api('POST /v1/flows/{id}', {
    path,
    body: {
      type: 'IMPORT_FLOW',
      request: { displayName, schemaVersion: '22', trigger: trigger.value },
    } as FlowOperation,
  });
  if (!filled.ok) {
    // Removes the incomplete flow.
    await api('DELETE /v1/flows/{id}', { path });
    return filled;
  }
  const last =
    chosen.complete && publishes
      ? await api('POST /v1/flows/{id}', { path, body: { type: 'LOCK_AND_PUBLISH', request: {} } })
      : filled;
  const base = publicUrl();
  return last.ok
    ? success({
        starter: chosen,
        flowId: flow.value.id,
        versionId: last.value.version.id,
        name: displayName,
        published: chosen.complete && publishes,
        url:
          chosen.kind === 'webhook'
            ? `${base}/api/v1/webhooks/${flow.value.id}/sync`
            : chosen.kind === 'form'
              ? `${base}/forms/${flow.value.id}`
              : '',
      })
    : last;
}

export interface Attempt {
  /** Response; absent if the flow sends none. */
  answer?: string;
  failure?: Failure;
}

export async function attempt({ starter: chosen, flowId, versionId }: Started, projectId: string): Promise<Attempt> {
  if (chosen.kind !== 'webhook') {
    const run = await api('POST /v1/flow-runs/test', { body: { projectId, flowVersionId: versionId } });
    return run.ok ? {} : { failure: run.failure };
  }
  const answer = await fetch(`${prefix}/api/v1/webhooks/${flowId}/sync`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': unique() },
    body: JSON.stringify(chosen.sample),
  });
  const text = await answer.text();
  try {
    return { answer: JSON.stringify(parseJson(text), null, 2) };
  } catch {
    return { answer: text };
  }
}

export const curlOf = ({ starter: { sample }, url }: Started): string =>
  `curl -H 'Content-Type: application/json' -d '${JSON.stringify(sample)}' ${url}`;
