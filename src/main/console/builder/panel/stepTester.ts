import { api } from '../../base/api/client';
import { failure, type Failure } from '../../base/api/failure';
import { complain } from '../../base/components/Toasts';
import { createStore, type Store } from '../../base/store';
import { notSaved, type Builder } from '../builder';
import { pieceOf } from '../canvas/pieces';
import { partsOf, referenceOf } from '../data/references';
import type { Samples } from '../data/samples';
import { textsOf } from '../data/stepTexts';
import { innerOf, isFormula } from '../data/formulas';
import { findStep, stepsBefore, type Step } from '../steps';
import { recordOf, type Recorded, type RecordedSteps } from './testRecord';

/** State of a step's last test. A failed test has either a failure of the request or the recorded error of the step. */
export interface TestState {
  phase: 'idle' | 'running' | 'good' | 'bad';
  /** The test waits for a webhook call. */
  isListening?: boolean;
  tookMs?: number;
  failure?: Failure;
  error?: string;
  /** Source of a code step that failed. */
  source?: string;
  console?: string;
  input?: unknown;
  output?: unknown;
}

type Strategy = 'SIMULATION' | 'TEST_FUNCTION';
interface Finished {
  runId?: string;
  success?: boolean;
  output?: unknown;
  standardOutput?: string;
  standardError?: string;
}
type TriggerEvent = { id: string; payload?: unknown };

const LOOK_MS = 1_500;
const IDLE: TestState = { phase: 'idle' };

/** Tests of single steps: at most one per step at a time, started from the settings, the test tab or the data picker. */
export class StepTester {
  readonly store: Store<ReadonlyMap<string, TestState>> = createStore(new Map());
  private readonly runs = new Map<string, () => void>();
  private isDisposed = false;

  constructor(
    private readonly builder: Builder,
    private readonly samples: Samples,
    private readonly projectId: string,
  ) {}

  of(stepName: string): TestState {
    return this.store.get().get(stepName) ?? IDLE;
  }

  dispose(): void {
    this.isDisposed = true;
  }

  /** Steps that a step refers to and that have no sample, in the order of the flow. */
  async untested(step: Step): Promise<Step[]> {
    const tokens = textsOf(step)
      .flatMap(partsOf)
      .filter((part) => part.kind === 'token')
      .map((part) => part.text)
      .flatMap((token) => (isFormula(token) ? partsOf(innerOf(token)).map((part) => part.text) : [token]));
    const roots = new Set(tokens.map((token) => referenceOf(token)?.root));
    const before = stepsBefore(this.builder.version.trigger, step.name).filter((each) => roots.has(each.name));
    await this.samples.load(before);
    return before.filter((each) => this.samples.of(each).state === 'none');
  }

  /** True if a test of the step waits for a call instead of producing a sample itself. */
  async listens(step: Step): Promise<boolean> {
    const { pieceName, pieceVersion, triggerName } = step.settings;
    if (step.name !== 'trigger' || !pieceName) {
      return false;
    }
    const piece = await pieceOf(pieceName, pieceVersion);
    return piece.ok && piece.value.triggers[triggerName ?? '']?.testStrategy === 'SIMULATION';
  }

  /** Tests a step with its saved settings. Resolves when the test ended; true if it succeeded. */
  async begin(stepName: string): Promise<boolean> {
    const step = findStep(this.builder.version.trigger, stepName);
    if (!step || this.of(stepName).phase === 'running') {
      return false;
    }
    const began = performance.now();
    this.put(stepName, { phase: 'running' });
    if (!(await this.builder.settled())) {
      this.put(stepName, { phase: 'bad', failure: notSaved() });
      return false;
    }
    const ended = stepName === 'trigger' ? await this.testTrigger(step) : await this.testAction(stepName);
    if (this.of(stepName).phase !== 'running') {
      return false;
    }
    this.put(stepName, { tookMs: Math.max(1, Math.round(performance.now() - began)), ...ended });
    return ended.phase === 'good';
  }

  stop(stepName: string): void {
    this.put(stepName, IDLE);
    if (stepName === 'trigger') {
      void api('DELETE /v1/test-trigger', {
        body: { projectId: this.projectId, flowId: this.builder.store.get().flow.id },
      }).then((answer) => !answer.ok && complain(answer.failure));
    }
  }

  /** Handles the notice that a test has ended: reads its run at once. */
  hear(data: unknown): void {
    const { runId } = data as Finished;
    if (runId !== undefined) {
      this.runs.get(runId)?.();
    }
  }

  async keep(stepName: string, value: unknown): Promise<TestState> {
    const refusal = await this.builder.request({
      type: 'SAVE_SAMPLE_DATA',
      request: { stepName, payload: value, type: 'OUTPUT' },
    });
    if (refusal) {
      return this.put(stepName, { phase: 'bad', failure: refusal });
    }
    await this.sampled(stepName, value);
    return { phase: 'good', output: value };
  }

  private put(stepName: string, state: TestState): TestState {
    this.store.update((all) => new Map(all).set(stepName, state));
    return state;
  }

  private isRunning(stepName: string): boolean {
    return !this.isDisposed && this.of(stepName).phase === 'running';
  }

  private async sampled(stepName: string, output: unknown): Promise<void> {
    await this.builder.reload();
    this.samples.put(stepName, output, findStep(this.builder.version.trigger, stepName));
  }

  private async testAction(stepName: string): Promise<TestState> {
    const source = findStep(this.builder.version.trigger, stepName)?.settings.sourceCode?.code;
    const flowVersionId = this.builder.store.get().flow.version.id;
    const answer = await api('POST /v1/sample-data/test-step', {
      body: { projectId: this.projectId, flowVersionId, stepName },
    });
    if (!answer.ok) {
      return { phase: 'bad', failure: answer.failure };
    }
    const record = await this.ended(answer.value.id as string, stepName);
    if (!record) {
      return { phase: 'bad', failure: failure('ENTITY_NOT_FOUND') };
    }
    const console = [record.standardOutput, record.standardError]
      .map((text) => text?.trim())
      .filter(Boolean)
      .join('\n');
    const about: TestState = {
      phase: record.status === 'SUCCEEDED' ? 'good' : 'bad',
      input: record.input,
      ...(console ? { console } : {}),
      ...(record.duration === undefined ? {} : { tookMs: Math.max(1, Math.round(record.duration)) }),
    };
    if (about.phase === 'bad') {
      const error = record.errorMessage ?? record.output ?? record.standardError ?? '';
      return {
        ...about,
        error: typeof error === 'string' ? error : JSON.stringify(error),
        ...(source === undefined ? {} : { source }),
      };
    }
    await this.sampled(stepName, record.output);
    return { ...about, output: record.output };
  }

  /** Record of the step once its run has ended: read after the notice of the channel, and at intervals. */
  private async ended(runId: string, stepName: string): Promise<Recorded | undefined> {
    try {
      while (this.isRunning(stepName)) {
        const run = await api('GET /v1/flow-runs/{id}', { path: { id: runId } });
        if (run.ok && run.value.finishTime) {
          return recordOf((run.value.steps ?? {}) as RecordedSteps, stepName);
        }
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, LOOK_MS);
          this.runs.set(runId, () => {
            clearTimeout(timer);
            resolve();
          });
        });
      }
      return undefined;
    } finally {
      this.runs.delete(runId);
    }
  }

  private async testTrigger(step: Step): Promise<TestState> {
    const { flow } = this.builder.store.get();
    const testStrategy: Strategy = (await this.listens(step)) ? 'SIMULATION' : 'TEST_FUNCTION';
    const before = (await this.newestEvent())?.id;
    const answer = await api('POST /v1/test-trigger', {
      body: { projectId: this.projectId, flowId: flow.id, flowVersionId: flow.version.id, testStrategy },
    });
    if (!answer.ok) {
      return { phase: 'bad', failure: answer.failure };
    }
    if (testStrategy === 'TEST_FUNCTION') {
      const first = (answer.value.data as TriggerEvent[])[0];
      return first ? this.keep(step.name, first.payload) : IDLE;
    }
    this.put(step.name, { phase: 'running', isListening: true });
    while (this.isRunning(step.name)) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      const newest = await this.newestEvent();
      if (newest && newest.id !== before && this.isRunning(step.name)) {
        await api('DELETE /v1/test-trigger', { body: { projectId: this.projectId, flowId: flow.id } });
        return { ...(await this.keep(step.name, newest.payload)), tookMs: 0 };
      }
    }
    return IDLE;
  }

  private async newestEvent(): Promise<TriggerEvent | undefined> {
    const { flow } = this.builder.store.get();
    const events = await api('GET /v1/trigger-events', {
      query: { projectId: this.projectId, flowId: flow.id, limit: 1 },
    });
    return events.ok ? (events.value.data as TriggerEvent[])[0] : undefined;
  }
}
