import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import type { Failure } from '../../base/api/failure';
import { complain } from '../../base/components/Toasts';
import { useBuilder } from '../context';
import { findStep, type Step } from '../steps';

export interface TestState {
  phase: 'idle' | 'running' | 'good' | 'bad';
  took?: number;
  failure?: Failure;
  error?: string;
  console?: string;
}

interface Finished { runId?: string; success?: boolean; output?: unknown; standardOutput?: string; standardError?: string }

interface Testing {
  state: TestState;
  begin: (strategy: 'SIMULATION' | 'TEST_FUNCTION') => Promise<void>;
  stop: () => void;
  /** Takes what the channel says about the run that was begun. */
  hear: (data: unknown) => void;
  keep: (value: unknown) => void;
}

/** Asked this often how a test stands: samples of triggers are not told by the channel, and the channel may be lost. */
const LOOK_MS = 1_500;

interface Recorded { status?: string; output?: unknown; errorMessage?: unknown; standardOutput?: string; standardError?: string }

type Steps = Record<string, Recorded>;

/** What a run recorded of a step, in a loop's iterations too. */
function recordOf(steps: Steps, name: string): Recorded | undefined {
  const inner = Object.values(steps).flatMap((each) => (each.output as { iterations?: Steps[] } | undefined)?.iterations ?? []);
  return steps[name] ?? inner.map((iteration) => recordOf(iteration, name)).find((found) => found !== undefined);
}

/** Tries one step: what has been typed is sent first, so that what is tried is what is seen. */
export function useTest(step: Step): Testing {
  const { builder, samples, projectId } = useBuilder();
  const [state, set] = useState<TestState>({ phase: 'idle' });
  const early = useRef(new Map<string, Finished>());
  const began = useRef(0);
  const awaited = useRef('');
  const stopped = useRef(false);
  const done = async (output: unknown): Promise<void> => {
    set({ phase: 'good', took: Math.max(1, Math.round(performance.now() - began.current)) });
    await builder.reload();
    samples.put(step.name, output, findStep(builder.version.trigger, step.name));
  };
  const take = (finished: Finished): void => {
    awaited.current = '';
    const console = finished.standardOutput?.trim() ?? '';
    if (finished.success) {
      void done(finished.output).then(() => set((before) => ({ ...before, ...(console ? { console } : {}) })));
    } else {
      const text = finished.standardError?.trim() || (typeof finished.output === 'string' ? finished.output : JSON.stringify(finished.output ?? '', null, 2));
      set({ phase: 'bad', error: text, ...(console ? { console } : {}) });
    }
  };
  const hear = (data: unknown): void => {
    const finished = data as Finished;
    if (finished.runId !== undefined && finished.runId === awaited.current) {
      take(finished);
    } else if (finished.runId !== undefined) {
      early.current.set(finished.runId, finished);
    }
  };
  /** The channel tells it at once; where it was lost at that moment, the run itself says it. */
  const lookAfter = async (runId: string): Promise<void> => {
    while (!stopped.current && awaited.current === runId) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      const run = awaited.current === runId ? await api('GET /v1/flow-runs/{id}', { path: { id: runId } }) : undefined;
      if (run?.ok && run.value.finishTime && awaited.current === runId && !stopped.current) {
        const recorded = recordOf((run.value.steps ?? {}) as Steps, step.name);
        take({ ...recorded, runId, success: recorded?.status === 'SUCCEEDED', output: recorded?.errorMessage ?? recorded?.output });
      }
    }
  };
  const testTrigger = async (strategy: 'SIMULATION' | 'TEST_FUNCTION'): Promise<void> => {
    const { flow } = builder.store.get();
    const known = await api('GET /v1/trigger-events', { query: { projectId, flowId: flow.id, limit: 1 } });
    const before = known.ok ? (known.value.data as Array<{ id: string }>)[0]?.id : undefined;
    const answer = await api('POST /v1/test-trigger', { body: { projectId, flowId: flow.id, flowVersionId: flow.version.id, testStrategy: strategy } });
    if (!answer.ok) {
      set({ phase: 'bad', failure: answer.failure });
      return;
    }
    if (strategy === 'TEST_FUNCTION') {
      await keepFirst(answer.value.data as Array<{ payload?: unknown }>);
      return;
    }
    while (!stopped.current) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      const events = await api('GET /v1/trigger-events', { query: { projectId, flowId: flow.id, limit: 1 } });
      const newest = events.ok ? (events.value.data as Array<{ id: string; payload?: unknown }>)[0] : undefined;
      if (newest && newest.id !== before && !stopped.current) {
        await api('DELETE /v1/test-trigger', { body: { projectId, flowId: flow.id } });
        await keepFirst([newest]);
        return;
      }
    }
  };
  const keepFirst = async (events: Array<{ payload?: unknown }>): Promise<void> => {
    const first = events[0];
    if (!first) {
      set({ phase: 'idle' });
      return;
    }
    await save(first.payload);
  };
  const save = async (payload: unknown): Promise<void> => {
    const refusal = await builder.request({ type: 'SAVE_SAMPLE_DATA', request: { stepName: step.name, payload, type: 'OUTPUT' } });
    if (refusal) {
      set({ phase: 'bad', failure: refusal });
    } else {
      await done(payload);
    }
  };
  const begin = async (strategy: 'SIMULATION' | 'TEST_FUNCTION'): Promise<void> => {
    stopped.current = false;
    began.current = performance.now();
    set({ phase: 'running' });
    if (!await builder.settled()) {
      set({ phase: 'idle' });
      return;
    }
    if (step.name === 'trigger') {
      await testTrigger(strategy);
      return;
    }
    const answer = await api('POST /v1/sample-data/test-step', { body: { projectId, flowVersionId: builder.store.get().flow.version.id, stepName: step.name } });
    if (!answer.ok) {
      set({ phase: 'bad', failure: answer.failure });
      return;
    }
    const runId = answer.value.id as string;
    const finished = early.current.get(runId);
    if (finished) {
      take(finished);
    } else {
      awaited.current = runId;
      void lookAfter(runId);
    }
  };
  const stop = (): void => {
    stopped.current = true;
    awaited.current = '';
    set({ phase: 'idle' });
    if (step.name === 'trigger') {
      void api('DELETE /v1/test-trigger', { body: { projectId, flowId: builder.store.get().flow.id } }).then((answer) => !answer.ok && complain(answer.failure));
    }
  };
  useEffect(() => () => {
    stopped.current = true;
  }, []);
  return { state, begin, stop, hear, keep: (value) => void save(value) };
}
