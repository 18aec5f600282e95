import { api } from '../../base/api/client';
import { success, type Result } from '../../base/api/failure';
import { createStore, type Store } from '../../base/store';
import type { Builder } from '../builder';
import type { Step } from '../steps';

export interface Sample {
  state: 'loading' | 'none' | 'some';
  value?: unknown;
  input?: unknown;
  key: string;
}

const keyOf = (step: Step): string =>
  `${step.settings.sampleData?.sampleDataFileId ?? ''} ${step.settings.sampleData?.lastTestDate ?? ''}`;

/** Samples of steps, fetched on first use and cached by test. */
export class Samples {
  readonly store: Store<Map<string, Sample>> = createStore(new Map());

  constructor(
    private readonly builder: Builder,
    private readonly projectId: string,
  ) {}

  of(step: Step): Sample {
    const known = this.store.get().get(step.name);
    const key = keyOf(step);
    if (known && known.key === key) {
      return known;
    }
    if (key === ' ') {
      return { state: 'none', key };
    }
    return { state: 'loading', key };
  }

  async load(steps: Step[]): Promise<void> {
    await Promise.all(
      steps
        .filter((step) => this.of(step).state === 'loading' && this.store.get().get(step.name)?.key !== keyOf(step))
        .map((step) => this.fetch(step)),
    );
  }

  put(name: string, value: unknown, step: Step | undefined): void {
    this.set(name, { state: 'some', value, key: step ? keyOf(step) : '' });
  }

  /** Input of the last test of a step; undefined if there is none. */
  async inputOf(step: Step): Promise<Result<unknown>> {
    return step.settings.sampleData?.sampleDataInputFileId ? this.ask(step, 'INPUT') : success(undefined);
  }

  private async fetch(step: Step): Promise<void> {
    const key = keyOf(step);
    this.set(step.name, { state: 'loading', key });
    const answer = await this.ask(step, 'OUTPUT');
    this.set(step.name, answer.ok ? { state: 'some', value: answer.value, key } : { state: 'none', key });
  }

  private ask(step: Step, type: 'INPUT' | 'OUTPUT'): Promise<Result<unknown>> {
    const { flow } = this.builder.store.get();
    return api('GET /v1/sample-data', {
      query: { projectId: this.projectId, flowId: flow.id, flowVersionId: flow.version.id, stepName: step.name, type },
    });
  }

  private set(name: string, sample: Sample): void {
    this.store.update((all) => new Map(all).set(name, sample));
  }
}
