import type { ReleasePlan } from '../model';

export type Kind = 'create' | 'update' | 'delete';

export interface PlanLine {
  /** Id of a flow that can be left out; absent otherwise. */
  flowId?: string;
  /** Source flow of an update. */
  sourceFlowId?: string;
  kind: Kind;
  name: string;
  /** Previous name, if it changes. */
  before?: string;
  notes: PlanNote[];
}

export type PlanNote =
  | { what: 'draft'; reason: string }
  | { what: 'placeholder' }
  | { what: 'field'; kind: Kind; name: string };

export interface PlanView {
  flows: PlanLine[];
  tables: PlanLine[];
  connections: PlanLine[];
}

const kindOf = (type: string): Kind =>
  type.startsWith('CREATE') ? 'create' : type.startsWith('DELETE') ? 'delete' : 'update';

type TableState = ReleasePlan['tables'][number]['tableState'];

/** Field changes of a table, matched by external ids. */
export function fieldNotes(before: TableState, after: TableState): PlanNote[] {
  const old = new Map(before.fields.map((field) => [field.externalId, field]));
  const names = new Set(after.fields.map((field) => field.externalId));
  return [
    ...after.fields.flatMap((field): PlanNote[] => {
      const was = old.get(field.externalId);
      return !was
        ? [{ what: 'field', kind: 'create', name: field.name }]
        : was.name !== field.name ||
            was.type !== field.type ||
            JSON.stringify(was.data ?? null) !== JSON.stringify(field.data ?? null)
          ? [{ what: 'field', kind: 'update', name: field.name }]
          : [];
    }),
    ...before.fields
      .filter((field) => !names.has(field.externalId))
      .map((field): PlanNote => ({ what: 'field', kind: 'delete', name: field.name })),
  ];
}

export function viewOf(plan: ReleasePlan): PlanView {
  const errors = new Map(plan.errors.map((error) => [error.flowId, error.message]));
  return {
    flows: plan.flows.map(({ type, flow, targetFlow }) => {
      const reason = errors.get(flow.id);
      return {
        flowId: flow.id,
        kind: kindOf(type),
        name: flow.displayName,
        ...(targetFlow ? { sourceFlowId: targetFlow.id } : {}),
        ...(targetFlow && targetFlow.displayName !== flow.displayName ? { before: targetFlow.displayName } : {}),
        notes: reason === undefined ? [] : [{ what: 'draft', reason }],
      };
    }),
    tables: plan.tables.map(({ type, tableState, newTableState }) => ({
      kind: kindOf(type),
      name: newTableState?.name ?? tableState.name,
      ...(newTableState && newTableState.name !== tableState.name ? { before: tableState.name } : {}),
      notes: newTableState ? fieldNotes(tableState, newTableState) : [],
    })),
    connections: plan.connections.map(({ type, connectionState, newConnectionState }) => ({
      kind: kindOf(type),
      name: newConnectionState?.displayName ?? connectionState.displayName,
      ...(newConnectionState && newConnectionState.displayName !== connectionState.displayName
        ? { before: connectionState.displayName }
        : {}),
      notes: kindOf(type) === 'create' ? [{ what: 'placeholder' }] : [],
    })),
  };
}

export const linesOf = (view: PlanView): PlanLine[] => [...view.flows, ...view.tables, ...view.connections];

export const tally = (lines: readonly PlanLine[], kind: Kind): number =>
  lines.filter((line) => line.kind === kind).length;
