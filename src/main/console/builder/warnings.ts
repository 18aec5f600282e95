import { useEffect } from 'preact/hooks';
import type { FlowWarning } from '#api';
import { api } from '../base/api/client';
import { createStore, useStore } from '../base/store';
import type { Builder } from './builder';

export type Warning = FlowWarning;

const PAUSE_MS = 800;

/** Warnings of the flow in the editor, as the server found them in its latest saved version. */
export const warnings = createStore<Warning[]>([]);

export const warningsOf = (all: readonly Warning[], stepName: string): string[] =>
  all.filter((each) => each.stepName === stepName).map((each) => each.message);

/** While the warnings cannot be read, the known ones stay. */
export function useWarningsOf(builder: Builder): void {
  const saved = useStore(builder.store, ({ flow, saving }) =>
    saving === 'saved' ? `${flow.id} ${flow.version.updated}` : '',
  );
  useEffect(() => () => warnings.set([]), [builder]);
  useEffect(() => {
    let isCurrent = saved !== '';
    const timer = window.setTimeout(async () => {
      if (!isCurrent) {
        return;
      }
      const answer = await api('GET /v1/flows/{id}/warnings', { path: { id: builder.store.get().flow.id } });
      if (answer.ok && isCurrent) {
        warnings.set(answer.value.data);
      }
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [builder, saved]);
}
