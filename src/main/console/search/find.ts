import { found } from '../base/search';
import { stepsOf, type Flow } from '../flows/model';

export interface FoundStep {
  flowId: string;
  flow: string;
  step: string;
  name: string;
}

interface Named {
  name?: string;
  displayName?: string;
}

export function stepsFitting(flows: readonly Flow[], typed: string, most: number): FoundStep[] {
  const steps = flows.flatMap((flow) =>
    stepsOf(flow.version.trigger).map(
      (step): FoundStep => ({
        flowId: flow.id,
        flow: flow.version.displayName,
        step: (step as Named).name ?? '',
        name: (step as Named).displayName ?? '',
      }),
    ),
  );
  return found(steps, typed, (step) => step.name).slice(0, most);
}

/** True for an id in the server's format. */
export const isId = (typed: string): boolean => /^[0-9a-zA-Z]{21}$/.test(typed.trim());

/** Shorter queries match almost everything. */
export const isWorthAsking = (typed: string): boolean => typed.trim().length >= 2;
