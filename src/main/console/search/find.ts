import { found } from '../base/search';
import { stepsOf, type Flow } from '../flows/model';

/** A step that was found, with the flow it stands in. */
export interface FoundStep {
  flowId: string;
  flow: string;
  step: string;
  name: string;
}

interface Named { name?: string; displayName?: string }

/** The steps whose names fit best, of flows that are at hand. */
export function stepsFitting(flows: readonly Flow[], typed: string, most: number): FoundStep[] {
  const steps = flows.flatMap((flow) => stepsOf(flow.version.trigger as never).map((step): FoundStep => ({
    flowId: flow.id, flow: flow.version.displayName, step: (step as Named).name ?? '', name: (step as Named).displayName ?? '',
  })));
  return found(steps, typed, (step) => step.name).slice(0, most);
}

/** Whether it is an id of this server. */
export const isId = (typed: string): boolean => /^[0-9a-zA-Z]{21}$/.test(typed.trim());

/** Shorter texts would find everything. */
export const isWorthAsking = (typed: string): boolean => typed.trim().length >= 2;
