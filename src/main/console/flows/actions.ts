import type { FlowOperation } from '#api';
import { saveFile } from '../base/download';
import { api } from '../base/api/client';
import { refused, success, type Failure, type Result } from '../base/api/failure';
import { reliably } from '../base/api/reliably';
import { complain, say } from '../base/components/Toasts';
import type { Rows } from '../base/query';
import { navigate } from '../base/router';
import { t } from '../base/text';
import type { Exported } from './exported';
import type { Flow } from './model';

export async function operate<T extends FlowOperation['type']>(
  flowId: string,
  type: T,
  request: Extract<FlowOperation, { type: T }>['request'],
): Promise<Failure | undefined> {
  const answer = await api('POST /v1/flows/{id}', { path: { id: flowId }, body: { type, request } as FlowOperation });
  return answer.ok ? undefined : answer.failure;
}

/** Reverts and shows the failure if the server refuses. */
export async function switchFlow(flow: Flow, on: boolean, flows: Rows<Flow>): Promise<void> {
  const show = (status: Flow['status']): void =>
    flows.put((all) => all.map((each) => (each.id === flow.id ? { ...each, status } : each)));
  show(on ? 'ENABLED' : 'DISABLED');
  const refusal = await operate(flow.id, 'CHANGE_STATUS', { status: on ? 'ENABLED' : 'DISABLED' });
  if (refusal) {
    show(flow.status);
    complain(refusal);
  } else {
    say(t(on ? 'flows.switched.on' : 'flows.switched.off', { name: flow.version.displayName }));
  }
}

export async function importFlow(
  exported: Exported,
  projectId: string,
  folderId: string,
  name?: string,
): Promise<Failure | undefined> {
  const imported = await importedFlow(exported, projectId, folderId, name);
  return imported.ok ? undefined : imported.failure;
}

export async function importedFlow(
  exported: Exported,
  projectId: string,
  folderId: string,
  name?: string,
): Promise<Result<string>> {
  const given = exported.flows?.[0];
  const displayName = name ?? given?.displayName ?? t('flows.untitled');
  const made = await reliably('POST /v1/flows', {
    body: { displayName, projectId, ...(folderId && folderId !== 'NULL' ? { folderId } : {}) },
  });
  if (!made.ok) {
    return made;
  }
  const refusal = await operate(made.value.id, 'IMPORT_FLOW', {
    displayName,
    trigger: given?.trigger ?? {},
    schemaVersion: given?.schemaVersion ?? null,
    notes: given?.notes ?? [],
  });
  if (refusal) {
    // Removes the incomplete flow.
    await api('DELETE /v1/flows/{id}', { path: { id: made.value.id } });
  }
  return refusal ? refused(refusal) : success(made.value.id);
}

export async function duplicate(flow: Flow, changed: () => void): Promise<void> {
  // A template has no connections; the copy is in the same project and keeps them.
  const original = await api('GET /v1/flows/{id}', { path: { id: flow.id } });
  const name = t('flows.copyOf', { name: flow.version.displayName });
  const copy = original.ok
    ? await importedFlow({ flows: [original.value.version] }, flow.projectId, flow.folderId ?? '', name)
    : original;
  if (copy.ok) {
    say(t('flows.duplicated', { name }), {
      label: t('flows.openCopy'),
      perform: () => navigate(`/projects/${flow.projectId}/flows/${copy.value}`),
    });
    changed();
  } else {
    complain(copy.failure);
  }
}

export async function exportFile(flow: Flow): Promise<void> {
  const exported = await api('GET /v1/flows/{id}/template', { path: { id: flow.id } });
  if (!exported.ok) {
    complain(exported.failure);
    return;
  }
  saveFile(
    `${flow.version.displayName.replace(/[^\p{L}\p{N}]+/gu, '-')}.json`,
    JSON.stringify(exported.value, null, 2),
    'application/json',
  );
}
