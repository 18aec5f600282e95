import { kept } from '../../base/kept';
import { walk, type Step } from '../steps';

const NAMES_MAX = 500;
const keyOf = (flowId: string): string => `millrace.names.${flowId}`;

/** Display names of steps by step name, removed steps included: references to them are shown by name. */
export type StepNames = ReadonlyMap<string, string>;

export function keptNames(flowId: string): StepNames {
  try {
    return new Map(JSON.parse(kept.get(keyOf(flowId)) ?? '[]') as Array<[string, string]>);
  } catch {
    return new Map();
  }
}

/** Names with those of a version added; the same map if nothing is new. */
export function withNames(names: StepNames, trigger: Step): StepNames {
  const fresh = walk(trigger).filter(({ step }) => names.get(step.name) !== step.displayName);
  return fresh.length === 0
    ? names
    : new Map(
        [...names, ...fresh.map(({ step }): [string, string] => [step.name, step.displayName])].slice(-NAMES_MAX),
      );
}

export const keepNames = (flowId: string, names: StepNames): void =>
  kept.set(keyOf(flowId), JSON.stringify([...names]));
