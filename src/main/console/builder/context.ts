import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Store } from '../base/store';
import type { Builder } from './builder';
import type { Samples } from './data/samples';
import type { StepNames } from './data/stepNames';
import type { StepTester } from './panel/stepTester';
import type { Place } from './steps';

/** Which of the views beside the canvas is open. */
export type Side = 'none' | 'step' | 'versions' | 'picker';

/** Where a person is in the editor. */
export interface Focus {
  step: string | undefined;
  side: Side;
  /** Where the picker adds; absent when it chooses the trigger. */
  place?: Place | undefined;
}

export interface BuilderContext {
  builder: Builder;
  samples: Samples;
  tester: StepTester;
  /** Display names of the steps that the flow has or had. */
  names: Store<StepNames>;
  focus: Store<Focus>;
  /** The run that tests the whole flow, while it is shown. */
  testRun: Store<string | undefined>;
  projectId: string;
}

const context = createContext<BuilderContext | undefined>(undefined);

export const BuilderProvider = context.Provider;

export function useBuilder(): BuilderContext {
  const value = useContext(context);
  if (!value) {
    throw new Error('expected to be inside the editor');
  }
  return value;
}
