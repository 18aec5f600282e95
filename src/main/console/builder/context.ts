import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Store } from '../base/store';
import type { Builder } from './builder';
import type { Samples } from './data/samples';
import type { StepNames } from './data/stepNames';
import type { StepTester } from './panel/stepTester';
import type { Place } from './steps';

export type Side = 'none' | 'step' | 'versions' | 'picker';

export interface Focus {
  step: string | undefined;
  side: Side;
  /** Place of the new step in the picker; absent when the picker replaces the trigger. */
  place?: Place | undefined;
}

export interface BuilderContext {
  builder: Builder;
  samples: Samples;
  tester: StepTester;
  names: Store<StepNames>;
  focus: Store<Focus>;
  /** Test run of the whole flow, while it is shown. */
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
