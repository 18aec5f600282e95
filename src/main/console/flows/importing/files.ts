import type { Answer } from '../../base/api/client';
import { parseJson } from '../../base/json';
import { readExported, type Exported } from '../exported';

export type Content =
  | { kind: 'n8n'; workflows: unknown[] }
  | { kind: 'flow'; exported: Exported }
  | { kind: 'unreadable'; problem: 'json' | 'content' };

const NESTED_MAX = 3;

/** True for a workflow of n8n, which may be wrapped in `workflow` or `data` as answers of its API are. */
function isWorkflow(json: unknown, depth = 0): boolean {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return false;
  }
  const given = json as Record<string, unknown>;
  return (
    Array.isArray(given['nodes']) ||
    (depth < NESTED_MAX && (isWorkflow(given['workflow'], depth + 1) || isWorkflow(given['data'], depth + 1)))
  );
}

export function contentOf(text: string): Content {
  let json: unknown;
  try {
    // Some editors write a byte order mark.
    json = parseJson(text.replace(/^\uFEFF/, ''));
  } catch {
    return { kind: 'unreadable', problem: 'json' };
  }
  const data =
    typeof json === 'object' && json !== null && !Array.isArray(json)
      ? (json as Record<string, unknown>)['data']
      : undefined;
  const list = Array.isArray(json) ? json : Array.isArray(data) ? data : [json];
  if (list.some((each) => isWorkflow(each))) {
    return { kind: 'n8n', workflows: list };
  }
  const exported = readExported(text);
  return exported ? { kind: 'flow', exported } : { kind: 'unreadable', problem: 'content' };
}

/** A workflow is never split. */
export function batchesOf(workflows: readonly unknown[], countMax: number, lengthMax: number): unknown[][] {
  const batches: unknown[][] = [];
  let length = 0;
  for (const workflow of workflows) {
    const size = JSON.stringify(workflow).length;
    const last = batches.at(-1);
    if (last && last.length < countMax && length + size <= lengthMax) {
      last.push(workflow);
      length += size;
    } else {
      batches.push([workflow]);
      length = size;
    }
  }
  return batches;
}

export type Imported = Answer<'POST /v1/flows/import/n8n'>;
export type Figures = Imported['report']['nodes'];

export type FlowReport = Imported['flows'][number]['report'];

export type Entry = FlowReport['entries'][number];

export const inexact = (report: FlowReport): Entry[] => [
  ...report.entries.filter((each) => each.result === 'byHand'),
  ...report.entries.filter((each) => each.result === 'near'),
];

const plus = (one: Figures, other: Figures): Figures => ({
  exact: one.exact + other.exact,
  near: one.near + other.near,
  byHand: one.byHand + other.byHand,
});

const NONE: Figures = { exact: 0, near: 0, byHand: 0 };

export function joined(answers: readonly Imported[]): Imported {
  return answers.reduce<Imported>(
    (sum, each) => ({
      flows: [...sum.flows, ...each.flows],
      report: {
        workflows: [...sum.report.workflows, ...each.report.workflows],
        flows: sum.report.flows + each.report.flows,
        nodes: plus(sum.report.nodes, each.report.nodes),
        expressions: plus(sum.report.expressions, each.report.expressions),
      },
    }),
    { flows: [], report: { workflows: [], flows: 0, nodes: NONE, expressions: NONE } },
  );
}
