import { api } from '../../base/api/client';
import type { Failure } from '../../base/api/failure';
import { t } from '../../base/text';
import { importFlow } from '../actions';
import { batchesOf, contentOf, joined, type Imported } from './files';

const WORKFLOWS_PER_REQUEST = 20;
const CHARACTERS_PER_REQUEST = 4_000_000;
const FILE_BYTES_MAX = 20 * 1024 * 1024;

export interface Target {
  projectId: string;
  folderId: string;
  /** Name of the folder; empty for none. */
  folder: string;
  /** True for the report alone. */
  isTrial: boolean;
}

export interface Outcome {
  n8n: Imported;
  /** Exported flows of this product that were created. */
  flows: string[];
  problems: Array<{ file: string; text: string }>;
  /** Failure that ended the import early; what was created before it stays. */
  failure?: Failure;
}

/** Workflows of all files are sent in limited requests. */
export async function importAll(
  files: readonly File[],
  target: Target,
  onProgress: (done: number, all: number) => void,
): Promise<Outcome> {
  const outcome: Outcome = { n8n: joined([]), flows: [], problems: [] };
  const workflows: unknown[] = [];
  for (const file of files) {
    await readInto(file, target, workflows, outcome);
  }
  const answers: Imported[] = [];
  let done = 0;
  for (const batch of batchesOf(workflows, WORKFLOWS_PER_REQUEST, CHARACTERS_PER_REQUEST)) {
    onProgress(done, workflows.length);
    const answer = await api('POST /v1/flows/import/n8n', {
      body: {
        projectId: target.projectId,
        workflows: batch,
        dryRun: target.isTrial,
        ...(target.folder ? { folder: target.folder } : {}),
      },
    });
    if (!answer.ok) {
      return { ...outcome, n8n: joined(answers), failure: answer.failure };
    }
    answers.push(answer.value);
    done += batch.length;
  }
  return { ...outcome, n8n: joined(answers) };
}

async function readInto(file: File, target: Target, workflows: unknown[], outcome: Outcome): Promise<void> {
  if (file.size > FILE_BYTES_MAX) {
    outcome.problems.push({ file: file.name, text: t('import.tooLarge', { max: FILE_BYTES_MAX / 1024 / 1024 }) });
    return;
  }
  const content = contentOf(await file.text());
  switch (content.kind) {
    case 'n8n':
      workflows.push(...content.workflows);
      break;
    case 'unreadable':
      outcome.problems.push({ file: file.name, text: t(`import.unreadable.${content.problem}`) });
      break;
    case 'flow': {
      const refusal = target.isTrial
        ? undefined
        : await importFlow(content.exported, target.projectId, target.folderId);
      if (refusal) {
        outcome.problems.push({ file: file.name, text: refusal.message || refusal.code });
      } else {
        outcome.flows.push(content.exported.flows?.[0]?.displayName ?? t('flows.untitled'));
      }
    }
  }
}
